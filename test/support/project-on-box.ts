import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectWith } from './project.ts';
import { sshOfUser } from './ssh-of-user.ts';
import type { Sshd } from './sshd.ts';

interface ProjectOnBox {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A project, and a user whose ssh knows `box` and whose settings have it as a host. */
export function projectOnBox(sshd: Sshd, plan: string): ProjectOnBox {
  const folder = projectWith(plan);
  const bin = sshOfUser(folder, sshd.configFile);
  const config = path.join(folder, '.config');
  mkdirSync(path.join(config, 'interlock'), { recursive: true });
  setHosts(folder, { box: {} });
  return { folder, env: { PATH: `${bin}:${process.env.PATH}`, XDG_CONFIG_HOME: config } };
}

/** All of them are the box. */
export function setHosts(folder: string, hosts: Readonly<Record<string, object>>): void {
  const box = { ssh: 'box', folder: path.dirname(folder), sync: 'none' };
  const all = Object.entries(hosts).map(([name, more]) => [name, { ...box, ...more }]);
  const file = path.join(folder, '.config', 'interlock', 'hosts.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(all)));
}
