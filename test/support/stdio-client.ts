import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { LanguageClient } from './language-client.ts';

interface StdioServer {
  readonly client: LanguageClient;
  readonly child: ChildProcess;
  /** What the server reads, for what a client would not send. */
  readonly input: Writable;
  /** With which code it has ended. */
  readonly ended: Promise<number | null>;
}

/** A server as it ships, and a client of it over standard input and output. It may end by itself. */
export function stdioServer(server: string, env: NodeJS.ProcessEnv): StdioServer {
  const child = spawn(process.execPath, [server, '--stdio'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    connection.dispose();
  });
  return { client: new LanguageClient(connection), child, input: child.stdin, ended };
}

/** A client of the server as it ships, which ends in good order with the test. */
export function stdioClient(server: string, env: NodeJS.ProcessEnv): LanguageClient {
  const { client, ended } = stdioServer(server, env);
  onTestFinished(async () => {
    await client.connection.sendRequest('shutdown');
    await client.connection.sendNotification('exit');
    await ended;
  });
  return client;
}
