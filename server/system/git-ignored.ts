import path from 'node:path';
import { Git } from './git.ts';

interface Question {
  readonly name: string;
  readonly answer: (isIgnored: boolean) => void;
}

/**
 * Whether git ignores a file. Where there is no git, or no repository, nothing is ignored. Who changes a
 * thousand files at once asks for all of them: git is asked one thing at a time, and what comes while it
 * answers is one question for each folder.
 */
export class GitIgnored {
  readonly #env: NodeJS.ProcessEnv;
  /** By folder. */
  readonly #waiting = new Map<string, Question[]>();
  #isAsking = false;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  async has(file: string): Promise<boolean> {
    return await new Promise((answer) => {
      const [folder, name] = [path.dirname(file), path.basename(file)];
      const waiting = this.#waiting.get(folder) ?? [];
      waiting.push({ name, answer });
      this.#waiting.set(folder, waiting);
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#isAsking) return;
    const [folder, questions] = first;
    this.#waiting.delete(folder);
    this.#isAsking = true;
    void this.#ask(folder, questions).finally(() => {
      this.#isAsking = false;
      this.#next();
    });
  }

  async #ask(folder: string, questions: readonly Question[]): Promise<void> {
    const names = questions.map(({ name }) => name);
    const ignored = await new Git(folder, this.#env).ignored(names);
    for (const { name, answer } of questions) answer(ignored?.has(name) === true);
  }
}
