/**
 * Whether an `enablement` of package.json holds, as VS Code reads it. What is not among the facts is
 * nothing: neither true nor equal to anything.
 */
export function isEnabled(
  enablement: string | undefined,
  facts: Readonly<Record<string, string | number | boolean>>,
): boolean {
  if (enablement === undefined) return true;
  return enablement
    .split(' || ')
    .some((either) => either.split(' && ').every((part) => holds(part, facts)));
}

function holds(part: string, facts: Readonly<Record<string, string | number | boolean>>): boolean {
  const [, not, key = '', relation, value = ''] =
    /^(!?)([\w.]+)(?: (==|!=) '?([^']*)'?)?$/.exec(part) ?? [];
  const fact = facts[key];
  if (relation === undefined) return (fact === true) !== (not === '!');
  return (String(fact) === value) === (relation === '==');
}
