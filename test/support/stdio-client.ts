import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { LanguageClient } from './language-client.ts';

/** A client of the server as it ships, over standard input and output. */
export function stdioClient(server: string, env: NodeJS.ProcessEnv): LanguageClient {
  const child = spawn(process.execPath, [server, '--stdio'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  onTestFinished(async () => {
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    await ended;
    connection.dispose();
  });
  return new LanguageClient(connection);
}
