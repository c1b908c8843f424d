/** The Node-API level that SQLite's native part is built for. An older Node.js would crash, not throw. */
const NODE_API_LEVEL = 10;

/**
 * With which the language server is started: what it throws away with each key needs little room, and
 * Node.js would give it a hundred megabytes.
 */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

/** Why this Node.js cannot run the server, as a sentence for the user; nothing when it can. */
export function refuseRuntime(versions: {
  readonly [name: string]: string | undefined;
}): string | undefined {
  if (Number(versions['napi']) >= NODE_API_LEVEL) return undefined;
  return (
    `Interlock needs Node.js 22.14 or newer, and this is ${versions['node'] ?? 'another'}: ` +
    'run it with a newer Node.js, or in VS Code 1.101 or newer.'
  );
}
