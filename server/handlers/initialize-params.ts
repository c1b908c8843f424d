import { pathToFileURL } from 'node:url';

/** A client nests what it says of itself less deep. */
const DEPTH_LIMIT = 20;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a client says of itself, as far as it is what the protocol has for it: what is null or of
 * another kind is left out, as if it had not been said. A client that gets something wrong is served
 * all the same.
 */
export function readInitialize(params: unknown): Fields {
  const { processId, capabilities, initializationOptions, ...others } = fieldsOf(params);
  const { workspaceFolders, rootUri, rootPath, ...rest } = others;
  return {
    ...rest,
    processId: typeof processId === 'number' && processId > 0 ? processId : null,
    capabilities: capabilitiesOf(capabilities),
    initializationOptions: fieldsOf(initializationOptions),
    rootUri: typeof rootUri === 'string' ? rootUri : uriOf(rootPath),
    ...(Array.isArray(workspaceFolders) && {
      workspaceFolders: workspaceFolders.filter(
        (folder) => typeof fieldsOf(folder)['uri'] === 'string',
      ),
    }),
  };
}

/** Of the groups only those that are groups. */
function capabilitiesOf(value: unknown): Fields {
  const groups = Object.entries(fieldsOf(value)).filter(([, group]) => isRecord(group));
  return Object.fromEntries(groups.map(([name, group]) => [name, withoutNulls(group, 0)]));
}

function withoutNulls(value: unknown, depth: number): unknown {
  if (!isRecord(value)) return value;
  if (depth > DEPTH_LIMIT) return {};
  const said = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(said.map(([name, part]) => [name, withoutNulls(part, depth + 1)]));
}

/** Clients of old have only this. */
function uriOf(rootPath: unknown): string | null {
  return typeof rootPath === 'string' && rootPath !== '' ? pathToFileURL(rootPath).href : null;
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
