import { expect, test } from 'vitest';
import { jumpArguments } from '../../../../server/remote/ssh/ssh-wire.ts';

/** Without the options that every jump has. */
function check(jumps: readonly string[], expected: string, configFile?: string): void {
  test(`${jumps.join(', ')} is ${expected}`, () => {
    const ssh = configFile === undefined ? {} : { configFile };
    const all = jumpArguments(jumps, { hostname: 'box', port: 22 }, ssh);
    const own = all.filter((word, index) => word !== '-o' && all[index - 1] !== '-o');
    expect(own.join(' ')).toBe(expected);
  });
}

check(['gate'], '-W [box]:22 -- gate');
check(['me@gate'], '-W [box]:22 -- me@gate');
check(['me@gate:2200'], '-W [box]:22 -- ssh://me@gate:2200');
check(['ssh://me@gate:2200'], '-W [box]:22 -- ssh://me@gate:2200');
check(['me@[::1]:2200'], '-W [box]:22 -- ssh://me@[::1]:2200');
check(['[::1]'], '-W [box]:22 -- ssh://[::1]');
check(['a', 'me@b:1', 'c'], '-J a,me@b:1 -W [box]:22 -- c');
check(['gate'], '-F /my config -W [box]:22 -- gate', '/my config');

test('a jump asks nothing, forwards nothing, runs nothing and trusts nobody new', () => {
  expect(jumpArguments(['gate'], { hostname: 'box', port: 22 }, {})).toEqual(
    expect.arrayContaining([
      'BatchMode=yes',
      'StrictHostKeyChecking=yes',
      'ForwardAgent=no',
      'ForwardX11=no',
      'ClearAllForwardings=yes',
      'PermitLocalCommand=no',
    ]),
  );
});
