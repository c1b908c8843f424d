import { cargoStarter } from './cargo.ts';
import { goStarter } from './go.ts';
import { makeStarter } from './make.ts';
import { npmStarter } from './npm.ts';
import type { Project } from './project.ts';
import { pythonStarter } from './python.ts';
import type { StarterDraft } from './starter.ts';

/** First plans that fit a folder, the likeliest first; the last one fits every folder. */
export function startersFor(project: Project): readonly StarterDraft[] {
  const fitting = MAKERS.flatMap((make) => {
    try {
      return make(project) ?? [];
    } catch (error) {
      // Nested so deep that nobody can read it: nothing is made from such a file.
      if (error instanceof RangeError) return [];
      throw error;
    }
  });
  return [...fitting, SMALL];
}

const MAKERS = [npmStarter, cargoStarter, goStarter, pythonStarter, makeStarter];

const SMALL: StarterDraft = {
  kind: 'small',
  source: undefined,
  tasks: [
    { id: 'hello', run: 'echo "Hello from Interlock" > hello.txt', writes: ['hello.txt'] },
    {
      id: 'shout',
      dependsOn: ['hello'],
      run: 'tr a-z A-Z < hello.txt > shout.txt',
      reads: ['hello.txt'],
      writes: ['shout.txt'],
    },
  ],
  notes: [],
};
