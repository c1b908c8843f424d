import type { Connection } from 'vscode-languageserver';
import {
  ASK_HOST_KEY,
  CHECK_HOST,
  FIND_SESSION,
  type HostKeyReply,
  type HostReport,
  type HostsReply,
  LIST_HOSTS,
  type SessionReply,
  TRUST_HOST_KEY,
  type TrustReply,
} from '../../protocol/hosts.ts';
import type { BoardWorld } from '../board/ports.ts';
import type { Machines } from '../board/session-ports.ts';
import { findSessionOfTask } from '../board/task-sessions.ts';
import { fieldsOf, readTask, refuseParams } from './refuse-params.ts';
import type { Workspace } from './workspace.ts';

/** What the user asks about their hosts. They are set outside of any folder, so none has to be trusted. */
export function registerHosts(
  connection: Connection,
  workspace: Workspace,
  world: BoardWorld,
): void {
  const machinesNow = (): Machines => world.machines(workspace.folders[0]?.board.root);
  connection.onRequest<HostsReply, void>(LIST_HOSTS, () => {
    const { hosts, problems } = machinesNow();
    return { hosts: hosts.map(({ name, ssh }) => ({ name, ssh })), problems };
  });
  connection.onRequest<HostReport, void>(CHECK_HOST, async (params: unknown) => {
    const machines = machinesNow();
    return { checks: await machines.check(readHost(params, machines)) };
  });
  connection.onRequest<HostKeyReply, void>(ASK_HOST_KEY, async (params: unknown) => {
    const machines = machinesNow();
    return await machines.offeredKey(readHost(params, machines));
  });
  connection.onRequest<TrustReply, void>(TRUST_HOST_KEY, async (params: unknown) => {
    const machines = machinesNow();
    const { fingerprint } = fieldsOf(params);
    if (typeof fingerprint !== 'string') throw refuseParams('"fingerprint" is that of a key.');
    return await machines.trust(readHost(params, machines), fingerprint);
  });
  connection.onRequest<SessionReply, void>(FIND_SESSION, async (params: unknown) => {
    const { board, plan, id } = readTask(params, workspace);
    const { mode } = fieldsOf(params);
    if (mode !== 'read' && mode !== 'write') throw refuseParams('"mode" is "read" or "write".');
    if (!board.isTrusted) throw refuseParams('Trust this folder first.');
    const open = board.live;
    if (open === undefined) return { kind: 'refused', message: `"${id}" has not run yet.` };
    const machines = world.machines(board.root);
    const found = await findSessionOfTask({ open, machines, root: board.root }, { plan, id });
    if (found.kind !== 'found') return { kind: 'refused', message: found.message };
    const { place, name } = found;
    return { kind: 'found', name, ...machines.attachment(place, name, mode) };
  });
}

function readHost(params: unknown, { hosts }: Machines): string {
  const { host } = fieldsOf(params);
  const found = hosts.find(({ name }) => name === host);
  if (found === undefined) throw refuseParams('"host" is the name of a host of the settings.');
  return found.name;
}
