import ssh2, {
  type AnyAuthMethod,
  type AuthHandlerMiddleware,
  type BaseAgent,
  type ParsedKey,
} from 'ssh2';
import { LinkError } from '../channel.ts';
import { type Identity, isKey } from './identities.ts';
import type { SshConfig } from './ssh-config.ts';

/**
 * Proves who the user is, in the order of OpenSSH: keys that the agent has for the files that are named,
 * other keys of the agent, files. Never with a password: whoever wants one needs a terminal.
 */
export class SshLogin {
  readonly #config: SshConfig;
  readonly #identities: readonly Identity[];
  readonly #onRefused: () => void;
  readonly #attempts: AnyAuthMethod[];
  /** Of the keys that were shown, as base64. */
  readonly #shown = new Set<string>();
  #agentKeys = 0;
  #wanted: readonly string[] = [];
  #isHalfDone = false;
  #hasAgentFailed = false;

  constructor(config: SshConfig, identities: readonly Identity[], onRefused: () => void) {
    this.#config = config;
    this.#identities = identities;
    this.#onRefused = onRefused;
    this.#attempts = [
      ...(config.agent === undefined ? [] : [this.#byAgent(config.agent)]),
      ...identities.flatMap(({ privateKey }) =>
        privateKey === undefined ? [] : [this.#byKey(privateKey)],
      ),
    ];
  }

  readonly handler: AuthHandlerMiddleware = (left, isHalfDone, next) => {
    // At first it is not known yet.
    this.#wanted = left ?? [];
    this.#isHalfDone = isHalfDone;
    const attempt = isHalfDone || !this.#takesKeys() ? undefined : this.#nextAttempt();
    if (attempt === undefined) this.#onRefused();
    else next(attempt);
  };

  agentFailed(): void {
    this.#hasAgentFailed = true;
  }

  /** Why nobody was let in. */
  refusal(): LinkError {
    const { destination } = this.#config;
    const inTerminal = `Open a terminal: ssh ${destination}`;
    const wanted = this.#wanted.filter((each) => /^(?:password|keyboard-interactive)$/.test(each));
    if (this.#isHalfDone)
      return refused(
        `${destination} asks for more than a key (${this.#wanted.join(', ')}), which Interlock does not keep. ${inTerminal}`,
      );
    if (!this.#takesKeys() && wanted.length > 0)
      return refused(
        `${destination} asks for a password, which Interlock neither asks for nor keeps. ${inTerminal}`,
      );
    const notes = [
      wanted.length > 0 ? ' It would take a password, which Interlock does not keep.' : '',
      this.#hasCertificates() ? ' It was shown no certificate: Interlock cannot.' : '',
    ].join('');
    return refused(
      `${destination} takes no key of ${this.#config.user} that it was shown (${this.#tried()}).${notes} ${inTerminal}`,
    );
  }

  #hasCertificates(): boolean {
    const isNamed = this.#config.certificateFiles.length > 0;
    return isNamed || this.#identities.some(({ hasCertificate }) => hasCertificate);
  }

  #takesKeys(): boolean {
    return this.#wanted.length === 0 || this.#wanted.includes('publickey');
  }

  #nextAttempt(): AnyAuthMethod | undefined {
    for (;;) {
      const attempt = this.#attempts.shift();
      if (attempt?.type !== 'publickey' || typeof attempt.key === 'string') return attempt;
      const key = Buffer.isBuffer(attempt.key) ? attempt.key : attempt.key.getPublicSSH();
      if (!this.#shown.has(key.toString('base64'))) return attempt;
    }
  }

  #byKey(key: ParsedKey): AnyAuthMethod {
    return { type: 'publickey', username: this.#config.user, key };
  }

  #byAgent(socket: string): AnyAuthMethod {
    const agent: BaseAgent = ssh2.createAgent(socket);
    const all = agent.getIdentities.bind(agent);
    // Nothing else of an agent is ours to change.
    agent.getIdentities = (answer) =>
      all((error, keys) => {
        if (error) answer(error);
        else answer(null, this.#chosen(keys ?? []));
      });
    return { type: 'agent', username: this.#config.user, agent };
  }

  #chosen<Key>(keys: readonly Key[]): Key[] {
    const named = this.#identities.map(({ publicKey }) => publicKey);
    const placed = keys.map((key) => {
      const text = publicKeyOf(key);
      const place = named.indexOf(text);
      return { key, text, place: place < 0 ? named.length : place };
    });
    const chosen = placed
      .filter(({ place }) => !this.#config.isIdentitiesOnly || place < named.length)
      .toSorted((a, b) => a.place - b.place);
    for (const { text } of chosen) if (text !== undefined) this.#shown.add(text);
    this.#agentKeys = chosen.length;
    return chosen.map(({ key }) => key);
  }

  /** Which keys there were, as a clause. */
  #tried(): string {
    const files = this.#identities.map(({ file, problem, publicKey }) => {
      const isShown = publicKey !== undefined && this.#shown.has(publicKey);
      return problem === undefined || isShown ? file : `${file} ${problem} and not in an agent`;
    });
    const agent = this.#hasAgentFailed
      ? 'the agent does not answer'
      : `${this.#agentKeys} ${this.#agentKeys === 1 ? 'key' : 'keys'} of the agent`;
    const all = this.#config.agent === undefined ? files : [agent, ...files];
    return all.length === 0 ? 'there is none' : all.join('; ');
  }
}

function publicKeyOf(key: unknown): string | undefined {
  return isKey(key) ? key.getPublicSSH().toString('base64') : undefined;
}

function refused(message: string): LinkError {
  return new LinkError(message, { mayPass: false, isRefused: true });
}
