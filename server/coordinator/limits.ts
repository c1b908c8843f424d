/** What one peer, and all of them together, may take of the coordinator. Tests make them smaller. */
export interface TransportLimits {
  /** From the connection to the whole of the hello. */
  readonly helloMs: number;
  /** From the first byte of a frame to its last; further bytes do not reset it. */
  readonly frameMs: number;
  /** How long a peer that is being closed has to read the last thing it was told. */
  readonly lingerMs: number;
  /** A frame before and after the peer proved the token. */
  readonly strangerFrameBytes: number;
  readonly frameBytes: number;
  /** What may wait for a peer to read it, and one frame more. */
  readonly outgoingBytes: number;
  /** What may wait for all peers together; those for whom most waits go first. */
  readonly outgoingTogetherBytes: number;
  readonly requestsInFlight: number;
  readonly peers: number;
  /** How many of them are kept free for each group that has fewer: no group locks another one out. */
  readonly peersKept: number;
  /** Connections that have not said hello; the oldest goes first. */
  readonly strangers: number;
}

const MIB = 1024 * 1024;

export const TRANSPORT_LIMITS: TransportLimits = {
  helloMs: 3000,
  frameMs: 10_000,
  lingerMs: 1000,
  strangerFrameBytes: 64 * 1024,
  frameBytes: 16 * MIB,
  outgoingBytes: 16 * MIB,
  outgoingTogetherBytes: 128 * MIB,
  requestsInFlight: 1000,
  peers: 384,
  peersKept: 24,
  strangers: 64,
};
