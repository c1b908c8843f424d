/**
 * What a path pattern means, said as directly as possible and far too slowly: the reference that the
 * real implementation is compared with. It shares no code with it.
 */
function matches(pattern: string, path: string): boolean {
  return spellOut(pattern).some((plain) => {
    const names = plain.replace(/\/$/, '').split('/');
    const isOpen = plain.endsWith('/') || !/[*?]|\[(?![^!]\])/.test(names.at(-1)!);
    return matchesSegments(isOpen ? [...names, '**'] : names, path.split('/'));
  });
}

/** Whether a list with `!` entries stands for the path. */
export function matchesList(patterns: readonly string[], path: string): boolean {
  return (
    patterns.some((pattern) => !takesAway(pattern) && matches(pattern, path)) &&
    !patterns.some((pattern) => takesAway(pattern) && matches(pattern.slice(1), path))
  );
}

function takesAway(pattern: string): boolean {
  return pattern.startsWith('!');
}

/** Every path of at most `length` characters over an alphabet that contains `/`. */
export function pathsOf(alphabet: string, length: number): readonly string[] {
  const paths: string[] = [];
  let longest = [''];
  for (let size = 1; size <= length; size += 1) {
    longest = longest.flatMap((start) => Array.from(alphabet, (char) => start + char));
    paths.push(...longest.filter((path) => !/^\/|\/\/|\/$/.test(path)));
  }
  return paths;
}

/** `{a,b}` without braces inside it, written out from the innermost. */
function spellOut(pattern: string): readonly string[] {
  const brace = /\{([^{}]*)\}/.exec(pattern);
  if (brace === null) return [pattern];
  const before = pattern.slice(0, brace.index);
  const after = pattern.slice(brace.index + brace[0].length);
  return (brace[1] ?? '').split(',').flatMap((choice) => spellOut(before + choice + after));
}

function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**')
    return (
      matchesSegments(rest, path) || (path.length > 0 && matchesSegments(pattern, path.slice(1)))
    );
  return (
    path[0] !== undefined && matchesName(first, path[0]) && matchesSegments(rest, path.slice(1))
  );
}

function matchesName(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  if (pattern.startsWith('*'))
    return (
      matchesName(pattern.slice(1), name) || (name !== '' && matchesName(pattern, name.slice(1)))
    );
  if (name === '') return false;
  const end = pattern.startsWith('[') ? pattern.indexOf(']') + 1 : 1;
  return (
    matchesChar(pattern.slice(0, end), name.slice(0, 1)) &&
    matchesName(pattern.slice(end), name.slice(1))
  );
}

function matchesChar(pattern: string, char: string): boolean {
  if (pattern === '?') return true;
  if (pattern.startsWith('[!')) return !pattern.slice(2, -1).includes(char);
  return pattern.startsWith('[') ? pattern.slice(1, -1).includes(char) : pattern === char;
}
