/** What stands for a letter behind a %-sign, as `ssh_config` has them. */
export type SshTokens = Readonly<Record<string, string>>;

/** Answers with nothing where a letter stands for nothing that is known. */
export function expandTokens(text: string, tokens: SshTokens): string | undefined {
  let isKnown = true;
  const expanded = text.replaceAll(/%(.?)/gs, (_, letter: string) => {
    const value = letter === '%' ? letter : tokens[letter];
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? expanded : undefined;
}

/** A path with `~/`, `${NAME}` and tokens in it; nothing where one of them is not known. */
export function expandPath(
  text: string,
  { tokens, env, home }: { tokens: SshTokens; env: NodeJS.ProcessEnv; home: string },
): string | undefined {
  const isOfHome = text === '~' || text.startsWith('~/');
  const whole = expandTokens(text, tokens);
  if (whole === undefined || (text.startsWith('~') && !isOfHome)) return undefined;
  let isKnown = true;
  const expanded = whole.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    if (env[name] === undefined) isKnown = false;
    return env[name] ?? '';
  });
  if (!isKnown) return undefined;
  return isOfHome ? `${home}${expanded.slice(1)}` : expanded;
}
