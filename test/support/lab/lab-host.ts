import type { LabCommand } from './lab-command.ts';

/** What of the packets is lost: those to the host, those from it, or all. */
export type Direction = 'there' | 'back' | 'both';

export interface LabHostOptions {
  /** Of the user; `/bin/sh` unless told. */
  readonly shell?: string;
  /** Lines for the file that configures sshd. */
  readonly sshd?: readonly string[];
  /** What the user has in each session, where the home folder has this name. */
  readonly environment?: (home: string) => Readonly<Record<string, string>>;
  /** In the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface HostParts extends LabHostOptions {
  readonly name: string;
  readonly folder: string;
  readonly userKey: string;
}

/** The way between a host and us. */
export interface LabCable {
  /** From now on nothing comes through, and nobody is told. */
  cut(direction?: Direction): void;
  /** Only machines of their own have packets to lose. */
  lose(percent: number): void;
  /** Nothing comes through of the connections that there are, as when something in between has forgotten them. */
  forget(): void;
  mend(): void;
}

/** A machine of the lab, which can be started, switched off, and cut off from us. */
export interface LabHost {
  readonly name: string;
  readonly cable: LabCable;
  readonly address: string;
  readonly port: number;
  /** Who has its home folder there. */
  readonly user: string;
  /** Of the host's key, as known_hosts has it. */
  readonly publicKey: string;
  /** Where the host has its home folder, as seen from here. */
  readonly home: string;
  /** The same folder, as the host calls it. */
  readonly homeThere: string;
  /** Resolves when it can be reached. */
  boot(): Promise<void>;
  /** Like a power cut: nobody is told, and what it had not written is gone. */
  powerOff(): Promise<void>;
  reboot(): Promise<void>;
  /** Ends each connection as something in between does, which tells both sides. */
  resetConnections(): void;
  /** Answers how many there were. */
  kill(matches: (command: LabCommand) => boolean): number;
  /** All that run on it, but for the first and the sshd that listens. */
  commands(): readonly LabCommand[];
  close(): Promise<void>;
}
