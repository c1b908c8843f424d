import { expect, test } from 'vitest';
import { connectBoard } from '../../../server/coordinator/board-connection.ts';
import type { ProtocolRange } from '../../../server/coordinator/hello.ts';
import { serve } from './echo-board.ts';

interface Meeting {
  readonly coordinator: ProtocolRange;
  readonly window: ProtocolRange;
}

/** What a window of build 2.0.0 learns from a coordinator of build 1.0.0, and what the handler does. */
async function meet({ coordinator, window }: Meeting): Promise<string> {
  const board = await serve({ protocol: coordinator });
  const result = await connectBoard({
    directory: board.directory,
    role: 'window',
    name: 'ann',
    build: '2.0.0',
    protocol: window,
    onNotification: () => {},
    onClosed: () => {},
  });
  const [peer] = board.handler.peers;
  if (result.kind === 'refused') return `${result.refusal}: ${result.message}`;
  if (result.kind === 'absent') return 'absent';
  const { build, protocol } = result.connection;
  result.connection.close();
  return `${protocol} with ${build}, and it ${peer?.protocol} with ${peer?.build}`;
}

function check(name: string, meeting: Meeting, outcome: string): void {
  test(name, async () => expect(await meet(meeting)).toBe(outcome));
}

const NOTHING_IN_COMMON =
  'incompatible: "ann" is Interlock 2.0.0 and the coordinator of the board is 1.0.0; ' +
  'they have no version of the protocol in common.';

check(
  'both speak the one version there is',
  { coordinator: { min: 1, max: 1 }, window: { min: 1, max: 1 } },
  '1 with 1.0.0, and it 1 with 2.0.0',
);
check(
  'with a newer window they speak the newest version of the coordinator',
  { coordinator: { min: 1, max: 2 }, window: { min: 2, max: 5 } },
  '2 with 1.0.0, and it 2 with 2.0.0',
);
check(
  'with an older window they speak the newest version of the window',
  { coordinator: { min: 2, max: 7 }, window: { min: 1, max: 4 } },
  '4 with 1.0.0, and it 4 with 2.0.0',
);
check(
  'a window that is too old is told to be updated',
  { coordinator: { min: 3, max: 4 }, window: { min: 1, max: 2 } },
  `${NOTHING_IN_COMMON} Update Interlock where "ann" runs.`,
);
check(
  'a window that is too new is told that the coordinator is to be updated',
  { coordinator: { min: 1, max: 2 }, window: { min: 3, max: 4 } },
  `${NOTHING_IN_COMMON} Update Interlock where the coordinator of the board runs, or close it.`,
);
