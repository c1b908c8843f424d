const DEVICE = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/**
 * What keeps a path, or a pattern of them, from meaning the same everywhere: on Windows some names
 * are devices, and others are not the names that they look like.
 */
export function portabilityWarning(path: string): string | undefined {
  const names = path.replace(/^!/, '').split('/');
  const device = names.find((name) => DEVICE.test(name));
  if (device !== undefined) return `On Windows "${device}" is a device, not a file.`;
  const ending = names.find((name) => /[. ]$/.test(name) && !/^\.\.?$/.test(name));
  if (ending !== undefined)
    return `On Windows no name ends with a dot or a space, and "${ending}" does.`;
  // In a class it is one of several characters.
  if (path.replaceAll(/\[[^\]]*\]/g, '').includes(':'))
    return 'On Windows no name has a ":" in it.';
  return undefined;
}
