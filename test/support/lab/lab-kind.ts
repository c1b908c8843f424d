import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { SSHD } from '../sshd.ts';

/** What a lab has for hosts here. */
export type LabKind = 'machines' | 'loopback';

/** The best that can be had here, or none. */
export function labKind(): LabKind | undefined {
  if (missingForMachines() === undefined) return 'machines';
  return missingForLoopback() === undefined ? 'loopback' : undefined;
}

/** What is not as it is with machines of their own, as sentences for whoever reads the results. */
export function labNote(): string | undefined {
  const why = missingForMachines();
  if (why === undefined) return undefined;
  const missing = missingForLoopback();
  if (missing !== undefined) return `${why} ${missing}`;
  return `${why} So the hosts were sshd on 127.0.0.1, each with a home folder, a temporary folder and a tmux of its own, and relays stood for their cables. Left out: that 30 % of the packets are lost, and that a host that is started anew has another boot id.`;
}

/** Why there can be no machines of their own here, as a sentence. */
export function missingForMachines(): string | undefined {
  if (process.env['INTERLOCK_LAB'] === 'loopback') return 'INTERLOCK_LAB asks for loopback.';
  if (process.platform !== 'linux') return 'Machines of their own can be made on Linux only.';
  if (process.getuid?.() !== 0) return 'Only root can make machines of their own.';
  try {
    execFileSync('unshare', ['--net', '--mount', '--pid', '--fork', 'nft', 'list', 'ruleset'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `No machines of their own can be made here: ${String(error)}`;
  }
}

function missingForLoopback(): string | undefined {
  if (!existsSync('/proc/self/environ')) return 'Hosts on loopback need /proc.';
  if (!existsSync(SSHD)) return `Hosts on loopback need ${SSHD}.`;
  if (spawnSync('tmux', ['-V']).status !== 0) return 'Hosts on loopback need tmux.';
  return undefined;
}
