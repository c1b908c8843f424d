import { expect, test } from 'vitest';
import {
  BOARD_RESUMED,
  type BoardResumed,
  TRUST_GRANTED,
} from '../../../protocol/initialization.ts';
import { realWorld } from '../../../server/world.ts';
import { EditedProject } from '../../support/editor-files.ts';
import { clientInMemory, type LanguageClient } from '../../support/language-client.ts';
import { untilFile } from '../../support/until-file.ts';

const PLAN = `tasks:
  long: { run: "while [ ! -e go ]; do sleep 0.01; done" }
  short: { run: "while [ ! -e go-short ]; do sleep 0.01; done; echo > short-ended; exit 3" }
`;

interface Restarted {
  readonly client: LanguageClient;
  readonly told: BoardResumed[];
}

async function windowOn(project: EditedProject, isTrusted: boolean): Promise<Restarted> {
  const client = clientInMemory(realWorld('a test', project.env));
  const told: BoardResumed[] = [];
  client.connection.onNotification(BOARD_RESUMED, (params: BoardResumed) => {
    told.push(params);
    client.heard();
  });
  await client.start(project.folder, { initializationOptions: { isTrusted } });
  return { client, told };
}

test('whoever comes while tasks run says once what became of them, when it may look', async () => {
  const project = new EditedProject(PLAN);
  const first = await windowOn(project, true);
  await first.client.until(() => first.told.length === 1);
  expect(first.told).toEqual([{ runningCount: 0, finishedCount: 0, lostCount: 0 }]);
  await first.client.run(project.folder);
  await first.client.until(() => first.client.states === 'long running, short running');
  await first.client.connection.sendRequest('shutdown');
  project.write('go-short', '');
  await untilFile(`${project.folder}/short-ended`);

  const second = await windowOn(project, false);
  await second.client.until(() => second.told.length === 1);
  expect(second.told).toEqual([{ runningCount: 0, finishedCount: 0, lostCount: 0 }]);
  await second.client.connection.sendNotification(TRUST_GRANTED);
  await second.client.until(() => second.told.length === 2);
  expect(second.told[1]).toEqual({ runningCount: 1, finishedCount: 1, lostCount: 0 });
  project.write('go', '');
  await second.client.until(() => second.client.view('long')?.state === 'completed');
});
