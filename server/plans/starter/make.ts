import { parseTaskId } from '../../domain/ids.ts';
import { present, type Project } from './project.ts';
import type { StarterDraft, StarterTask } from './starter.ts';
import { someOf } from './starter-text.ts';

/** As make itself looks for them. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'];

/** What would undo, install, publish, run for ever or change sources. */
const NOT_FOR_A_PLAN =
  /^(clean|distclean|mrproper|maintainer-clean|install|uninstall|deploy|release|publish|run|start|serve|watch|dev|help|fmt|format|fix|setup|docker.*)([-_.].*)?$/i;

const BUILDS = ['build', 'all', 'compile'];
const TESTS = /^(test|tests|check)$/;
const CHECKS = /^(lint|vet|typecheck|types)$/;
const OTHERS = /^(doc|docs|examples|bench|benchmarks)$/;

/** A plan of the targets of a Makefile that people call by their names. */
export function makeStarter(project: Project): StarterDraft | undefined {
  const [file] = present(project, { names: NAMES });
  const text = file && project.read(file);
  if (file === undefined || text === undefined) return undefined;
  const targets = targetsOf(text).filter((target) => parseTaskId(target) !== undefined);
  const usable = targets.filter((target) => !NOT_FOR_A_PLAN.test(target));
  const build = BUILDS.find((name) => usable.includes(name)) ?? firstOf(text, usable);
  const named = usable.filter(
    (name) => name !== build && [TESTS, CHECKS, OTHERS].some((known) => known.test(name)),
  );
  const tasks: StarterTask[] = [
    ...(build === undefined ? [] : [{ id: build, run: `make ${build}`, comments: SAY_WHAT }]),
    // One make does not know what another one is building, so what all need is built before.
    ...named.map((name) => ({
      id: name,
      run: `make ${name}`,
      dependsOn: build === undefined ? [] : [build],
    })),
  ];
  if (tasks.length === 0) return undefined;
  const left = targets.filter((name) => !tasks.some(({ id }) => id === name));
  const notes =
    left.length === 0 ? [] : [`Other targets of the ${file}. Add what is to be run:`, someOf(left)];
  return { kind: 'make', source: file, tasks, notes };
}

const SAY_WHAT = ['Say what it makes, as in "writes: [build/**]".'];

/** The first rule is what "make" makes, and mostly a program or a library. */
function firstOf(text: string, usable: readonly string[]): string | undefined {
  const [first] = targetsOf(text);
  return usable.find((name) => name === first && !NOT_A_BUILD.test(name));
}

const NOT_A_BUILD = /^(test|check|lint|vet|type|doc|bench|example|list)/i;

/** Targets that are written out, without those that make files of a kind, each once. */
function targetsOf(text: string): readonly string[] {
  const lines = text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
  const targets = lines.flatMap((line) => {
    const names = /^([A-Za-z0-9][\w./ -]*?)\s*::?(?![=:])/.exec(line)?.[1] ?? '';
    return names.split(/\s+/).filter((name) => name !== '' && !/[/%]|\.\w+$/.test(name));
  });
  return [...new Set(targets)];
}
