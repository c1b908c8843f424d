/**
 * A list as people and agents write it, with every construct that there is: mostly one to three
 * patterns, and one list in five takes something away.
 */
export function realisticList(random: () => number): readonly string[] {
  const size = 1 + Math.floor(random() * random() * 4);
  const list = Array.from({ length: size }, () => realisticPattern(random));
  if (random() < 0.2) list.push(`!${pick(TAKEN_AWAY, random)}`);
  return list;
}

function realisticPattern(random: () => number): string {
  return pick(SHAPES, random)(() => pick(NAMES, random));
}

const NAMES = [
  'src',
  'lib',
  'test',
  'docs',
  'packages',
  'core',
  'api',
  'web',
  'users',
  'auth',
  'billing',
  'schema',
  'components',
  'index',
  'utils',
  'generated',
];

const TAKEN_AWAY = [
  '**/*.test.ts',
  '**/generated/**',
  'src/api/**',
  'src/**/*.snap',
  'packages/*/dist/**',
  'docs/*.md',
  '**/[_.]*',
];

const SHAPES: readonly ((name: () => string) => string)[] = [
  (name) => `${name()}/${name()}/**`,
  (name) => `${name()}/**`,
  (name) => `src/${name()}/${name()}.ts`,
  (name) => `src/${name()}/${name()}.ts`,
  (name) => `src/**/${name()}.ts`,
  (name) => `src/${name()}/*.ts`,
  (name) => `src/${name()}/**/*.test.ts`,
  (name) => `packages/*/${name()}/**`,
  (name) => `packages/${name()}/src/**/*.{ts,tsx}`,
  (name) => `**/${name()}.*.ts`,
  (name) => `**/*.${name()}.json`,
  (name) => `{src,test}/${name()}/*.ts`,
  (name) => `src/${name()}/[a-m]*.ts`,
  (name) => `src/${name()}/[!_]*.ts`,
  (name) => `src/${name()}-*/${name()}?.ts`,
  (name) => `src/*/${name()}/*-${name()}*.ts`,
  (name) => `**/${name()}/**/*.sql`,
  (name) => `docs/${name()}/`,
];

function pick<T>(choices: readonly T[], random: () => number): T {
  return choices[Math.floor(random() * choices.length)]!;
}
