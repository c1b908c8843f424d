import process from 'node:process';
import { createConnection } from 'vscode-languageserver/node';
import { connectionOptions, createServer } from './server.ts';
import { realWorld } from './world.ts';

const TRANSPORTS = ['--stdio', '--node-ipc', '--pipe', '--socket'];

if (!process.argv.some((word) => TRANSPORTS.some((transport) => word.startsWith(transport)))) {
  process.stderr.write(
    'This is a language server. Start it with --stdio, --node-ipc, --pipe=NAME or --socket=PORT.\n',
  );
  process.exit(2);
}

const entrance = connectionOptions();
const connection = createConnection(entrance);
// The last resort: a mistake in one answer is written down and does not end the server.
process.on('unhandledRejection', (error) => {
  connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
});
createServer(
  connection,
  entrance,
  realWorld(`An editor window (process ${process.pid})`, process.env),
);
