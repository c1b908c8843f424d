import { expect, onTestFinished, test } from 'vitest';
import { type Instant, instant } from '../../../server/domain/time.ts';
import type { TreeChange, TreeWatch, WatchedTree } from '../../../server/engine/tree-watch.ts';

/** A working tree in which `committed` is known to git, and the folder `out` is ignored by it. */
export interface TreeBench {
  readonly watch: TreeWatch;
  readonly tree: string;
  now(): Instant;
  write(file: string, bytes: string): void;
  remove(file: string): void;
}

export const COMMITTED = 'src/committed';

/** What the engine relies on, whoever watches. */
export function treeWatchContract(openBench: () => TreeBench): void {
  writesContract(openBench);
  timeContract(openBench);
  inputsContract(openBench);
}

function writesContract(openBench: () => TreeBench): void {
  test('what is written is told once, with when it happened', async () => {
    const { bench, watched, told } = await watching(openBench());
    const before = bench.now();
    bench.write('src/new', 'x');
    await watched.settle();
    const [change] = told;
    expect(told.map(({ path }) => path)).toEqual(['src/new']);
    expect(change!.until).toBeGreaterThanOrEqual(before);
    expect(change!.from).toBeLessThanOrEqual(bench.now());
    await watched.settle();
    expect(told).toHaveLength(1);
  });

  test('so is what is written again, and what is removed', async () => {
    const { bench, watched, told } = await watching(openBench());
    bench.write(COMMITTED, 'other');
    await watched.settle();
    bench.remove(COMMITTED);
    await watched.settle();
    expect(told.map(({ path }) => path)).toEqual([COMMITTED, COMMITTED]);
  });

  test('a write that nobody wants to know more of is told as such', async () => {
    const { bench, watched, told, touched } = await watching(openBench(), { wants: () => false });
    bench.write('src/new', 'x');
    await watched.settle();
    expect([touched.includes('src/new'), told]).toEqual([true, []]);
  });

  test('a file that comes and goes is nothing', async () => {
    const { bench, watched, told } = await watching(openBench());
    bench.write('src/passing', 'x');
    bench.remove('src/passing');
    await watched.settle();
    expect(told).toEqual([]);
  });

  for (const name of ['a b', '"quoted"', 'ä\u{1f600}', 'new\nline', '-- x', '\\back', '*?[x]'])
    test(`a file may have the name ${JSON.stringify(name)}`, async () => {
      const { bench, watched, told } = await watching(openBench());
      bench.write(`src/${name}`, 'x');
      await watched.settle();
      expect(told.map(({ path }) => path)).toEqual([`src/${name}`]);
    });

  test('what is written in folders that come is told, however deep they are', async () => {
    const { bench, watched, told } = await watching(openBench());
    bench.write('one/two/three/file', 'x');
    await watched.settle();
    bench.write('one/two/three/other', 'x');
    await watched.settle();
    expect(told.map(({ path }) => path)).toEqual(['one/two/three/file', 'one/two/three/other']);
  });
}

function timeContract(openBench: () => TreeBench): void {
  test('what was written before anybody watched is told from then on', async () => {
    const bench = openBench();
    const since = bench.now();
    bench.write('src/early', 'x');
    const { told } = await watching(bench, { since });
    expect(told.map(({ path }) => path)).toEqual(['src/early']);
  });

  test('and what was written before that is not', async () => {
    const bench = openBench();
    bench.write('src/early', 'x');
    const { told } = await watching(bench, { since: instant(bench.now() + 60_000) });
    expect(told).toEqual([]);
  });

  test('what nobody wants, what git ignores and what is its own is not told', async () => {
    const { bench, watched, told } = await watching(openBench(), {
      wants: (path) => !path.startsWith('src/'),
    });
    bench.write('src/x', 'x');
    bench.write('out/x', 'x');
    bench.write('.git/x', 'x');
    bench.write('docs/x', 'x');
    await watched.settle();
    expect(told.map(({ path }) => path)).toEqual(['docs/x']);
  });

  test('after it was let go of nothing is told', async () => {
    const { bench, watched, told } = await watching(openBench());
    bench.write('src/x', 'x');
    watched[Symbol.dispose]();
    watched[Symbol.dispose]();
    await watched.settle();
    expect(told).toEqual([]);
  });
}

function inputsContract(openBench: () => TreeBench): void {
  const INPUTS = {
    key: 'src',
    folders: ['src'],
    has: (path: string): boolean => path.startsWith('src/'),
  };

  test('of what is remembered it is known whether it has the same bytes', async () => {
    const { bench, watched, told } = await watching(openBench());
    watched.remember(INPUTS);
    await watched.settle();
    bench.write(COMMITTED, 'committed');
    await watched.settle();
    bench.write(COMMITTED, 'otherwise');
    await watched.settle();
    bench.write(COMMITTED, 'otherwise');
    await watched.settle();
    expect(told.map(({ isSame }) => isSame)).toEqual([true, false, true]);
  });

  test('of all else nobody knows', async () => {
    const { bench, watched, told } = await watching(openBench());
    bench.write(COMMITTED, 'committed');
    await watched.settle();
    expect(told.map(({ isSame }) => isSame)).toEqual([false]);
  });
}

interface Asked {
  readonly since?: Instant;
  readonly wants?: (path: string) => boolean;
}

async function watching(
  bench: TreeBench,
  { since = instant(bench.now() + 60_000), wants = () => true }: Asked = {},
): Promise<{
  bench: TreeBench;
  watched: WatchedTree;
  told: TreeChange[];
  touched: string[];
}> {
  const told: TreeChange[] = [];
  const touched: string[] = [];
  const watched = bench.watch.watch(bench.tree, since, {
    touched: (path) => void touched.push(path),
    wants,
    changed: (changes) => void told.push(...changes),
    noticed: (sentence) => expect.fail(sentence),
  });
  onTestFinished(() => watched[Symbol.dispose]());
  await watched.settle();
  return { bench, watched, told, touched };
}
