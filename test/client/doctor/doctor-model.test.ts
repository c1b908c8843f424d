import { expect, test } from 'vitest';
import {
  reportText,
  summary,
  withEditor,
  withoutServer,
} from '../../../client/doctor/doctor-model.ts';
import type { DoctorCheck } from '../../../protocol/doctor.ts';

const EDITOR = {
  extension: '1.0.0',
  editor: 'VS Code 1.101.0',
  remote: undefined,
  isTrusted: true,
  folderCount: 1,
};

function checkIn(state: DoctorCheck['state']): DoctorCheck {
  return { name: 'git', state, found: '2.43.0', ...(state !== 'fine' && { advice: 'Do.' }) };
}

test('the report can be read and pasted, and what programs print stays text', () => {
  const checks: readonly DoctorCheck[] = [
    checkIn('fine'),
    { name: 'tmux', state: 'note', found: '<b> *3*', advice: 'See [x](y).' },
  ];
  const report = withEditor({ folder: '/a`b', checks }, EDITOR);
  expect(reportText(report).split('\n')).toEqual([
    '# Interlock: Doctor',
    '',
    'Everything works; see what could be better.',
    '',
    "Folder: `/a'b`",
    '',
    '|  | what | found | what to do |',
    '| --- | --- | --- | --- |',
    '| ✓ | **editor** | Interlock 1.0.0, VS Code 1.101.0, 1 folder, trusted |  |',
    '| ✓ | **git** | 2.43.0 |  |',
    String.raw`| ! | **tmux** | \<b\> \*3\* | See \[x\](y). |`,
    '',
  ]);
});

test('a folder that is not trusted is noted, with the way out', () => {
  const facts = { ...EDITOR, isTrusted: false, folderCount: 2, remote: 'ssh-remote' };
  const [first] = withEditor({ checks: [] }, facts).checks;
  expect(first).toMatchObject({
    state: 'note',
    found: 'Interlock 1.0.0, VS Code 1.101.0, ssh-remote, 2 folders, not trusted',
  });
  expect(first?.advice).toContain('Manage Workspace Trust');
});

test('without a server, that is what is wrong', () => {
  const report = withEditor(withoutServer(new Error('It is not running.')), EDITOR);
  expect(report.checks.map(({ name, state, found }) => [name, state, found]).at(-1)).toEqual([
    'server',
    'wrong',
    'It is not running.',
  ]);
  expect(summary(report.checks)).toBe('1 thing is wrong.');
});

test('the summary counts what is wrong', () => {
  expect(summary([checkIn('fine')])).toBe('Everything is fine.');
  expect(summary([checkIn('wrong'), checkIn('note')])).toBe('1 thing is wrong.');
  expect(summary([checkIn('wrong'), checkIn('wrong')])).toBe('2 things are wrong.');
});
