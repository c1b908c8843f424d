import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyShape, type Contender, PARALLEL } from './contender.ts';
import { peerProgram, PEERS, peersMissing } from './peer-packages.ts';
import type { GraphTask } from './task-graphs.ts';

/** A script of npm's that answers to npm's environment; starting npm itself would cost it more. */
const WIREIT: Contender = {
  ...fetched('wireit'),
  prepare: (tasks, folder) => {
    const scripts = Object.fromEntries([...namesOf(tasks), 'all'].map((name) => [name, 'wireit']));
    const wireit = Object.fromEntries(
      tasks.map(({ name, after, command }) => [name, { command, dependencies: after }]),
    );
    writePackage(folder, {
      scripts,
      wireit: { ...wireit, all: { dependencies: namesOf(tasks) } },
    });
    const env = {
      WIREIT_CACHE: 'none',
      WIREIT_LOGGER: 'quiet',
      WIREIT_PARALLEL: String(PARALLEL),
      npm_config_user_agent: 'npm/11.0.0',
      npm_lifecycle_event: 'all',
      npm_package_json: path.join(folder, 'package.json'),
    };
    return { file: process.execPath, args: [peerProgram('wireit', 'bin/wireit.js')], env };
  },
};

const NX: Contender = {
  ...fetched('nx'),
  prepare: (tasks, folder) => {
    const targets = Object.fromEntries(
      tasks.map(({ name, after, command }) => [
        name,
        { executor: 'nx:run-commands', options: { command }, dependsOn: after, cache: false },
      ]),
    );
    const all = { executor: 'nx:noop', dependsOn: namesOf(tasks), cache: false };
    writePackage(folder, {});
    writeJson(path.join(folder, 'nx.json'), {});
    writeJson(path.join(folder, 'project.json'), {
      name: 'bench',
      targets: { ...targets, all },
    });
    symlinkSync(path.join(PEERS, 'node_modules'), path.join(folder, 'node_modules'));
    const env = { NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
    const args = [peerProgram('nx', 'dist/bin/nx.js'), 'run', 'bench:all', '--skip-nx-cache'];
    return { file: process.execPath, args: [...args, `--parallel=${PARALLEL}`], env };
  },
};

/** Its unit is a package with a script, which it starts with npm. */
const TURBO: Contender = {
  ...fetched('turbo'),
  mostTasks: 200,
  prepare: (tasks, folder) => {
    writePackage(folder, { packageManager: 'npm@11.0.0', workspaces: ['packages/*'] });
    writeJson(path.join(folder, 'turbo.json'), {
      tasks: { noop: { cache: false, dependsOn: ['^noop'] } },
    });
    for (const { name, after, command } of tasks) {
      const place = path.join(folder, 'packages', name);
      mkdirSync(place, { recursive: true });
      const dependencies = Object.fromEntries(after.map((other) => [other, '*']));
      writePackage(place, { name, version: '1.0.0', scripts: { noop: command }, dependencies });
    }
    const env = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
    const args = [peerProgram('turbo', 'bin/turbo'), 'run', 'noop', `--concurrency=${PARALLEL}`];
    return { file: process.execPath, args, env };
  },
};

export const NPM_CONTENDERS: readonly Contender[] = [WIREIT, NX, TURBO];

function fetched(name: string): Pick<Contender, 'name' | 'kind' | 'missing' | 'runs'> {
  return { name, kind: 'npm', missing: peersMissing, runs: anyShape };
}

function namesOf(tasks: readonly GraphTask[]): readonly string[] {
  return tasks.map(({ name }) => name);
}

function writePackage(folder: string, content: object): void {
  writeJson(path.join(folder, 'package.json'), { name: 'bench', private: true, ...content });
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, JSON.stringify(content));
}
