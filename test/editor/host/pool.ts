import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node';
import { connectFrames } from './frames.mjs';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/**
 * A vitest pool whose worker is the extension host of a real VS Code, started by
 * @vscode/test-electron: a desktop one where INTERLOCK_DESKTOP_VSCODE is set, else the stand-in for
 * `code` beside this file, which opens the same workbench in a browser.
 */
export function extensionHostPool(workspace: string): PoolRunnerInitializer {
  return { name: 'vscode', createPoolWorker: () => new ExtensionHost(workspace) };
}

class ExtensionHost implements PoolWorker {
  readonly name = 'vscode';
  readonly #workspace: string;
  readonly #events = new EventEmitter();
  readonly #output = new PassThrough();
  #log = '';
  #directory = '';
  #server: net.Server | undefined;
  #socket: net.Socket | undefined;
  #send: ((message: unknown) => void) | undefined;
  #run: Promise<unknown> | undefined;
  #isStopping = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#output.on('data', (text) => {
      this.#log += String(text);
    });
  }

  canReuse(): boolean {
    return true;
  }

  on(event: string, callback: (argument: unknown) => void): void {
    this.#events.on(event, callback);
  }

  off(event: string, callback: (argument: unknown) => void): void {
    this.#events.off(event, callback);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  send(message: unknown): void {
    this.#send?.(message);
  }

  async start(): Promise<void> {
    this.#directory = mkdtempSync(path.join(os.tmpdir(), 'interlock-host-'));
    const socketPath = path.join(this.#directory, 'vitest.sock');
    const connected = this.#listen(socketPath);
    const isDesktop = process.env['INTERLOCK_DESKTOP_VSCODE'] !== undefined;
    this.#run = runTests({
      ...(isDesktop ? {} : { vscodeExecutablePath: here('code.mts'), reuseMachineInstall: true }),
      extensionDevelopmentPath: path.resolve(here('../../..')),
      extensionTestsPath: here('bootstrap.cjs'),
      extensionTestsEnv: {
        INTERLOCK_VITEST_SOCKET: socketPath,
        INTERLOCK_STATE_DIR: path.join(this.#directory, 'state'),
      },
      launchArgs: [this.#workspace],
      stdout: this.#output,
      stderr: this.#output,
    });
    const endedEarly = this.#run.then(
      () => {
        throw new Error(`VS Code ended before it connected.\n${this.#log}`);
      },
      (error: unknown) => {
        throw new Error(`${String(error)}\n${this.#log}`, { cause: error });
      },
    );
    await Promise.race([connected, endedEarly]);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#socket?.end();
    this.#server?.close();
    await this.#run?.catch(() => undefined);
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #listen(socketPath: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server = net.createServer((socket) => {
        this.#socket = socket;
        this.#send = connectFrames(socket, (message) => this.#events.emit('message', message));
        socket.on('error', (error) => this.#events.emit('error', error));
        socket.on('close', () => {
          // A host that dies in the middle of a test is a failure, not something to wait for.
          if (!this.#isStopping)
            this.#events.emit('error', new Error(`The extension host went away.\n${this.#log}`));
        });
        resolve();
      });
      this.#server.listen(socketPath);
    });
  }
}
