import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { textOnDisk } from '../../../../server/handlers/ownership/followed-file.ts';
import { realWorld } from '../../../../server/world.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const LIMIT_BYTES = 1024 * 1024;

function check(name: string, bytes: string | Buffer, isKnown: boolean): void {
  test(name, () => {
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, bytes);
    const text = textOnDisk(realWorld('a window', {}), file);
    expect(text === (isKnown ? bytes : undefined)).toBe(true);
  });
}

check('a text is known', 'é\n', true);
check('a text of 1 MiB is known', 'x'.repeat(LIMIT_BYTES), true);
check('of a longer one not all is read', 'x'.repeat(LIMIT_BYTES + 1), false);
check('however many characters that is', 'é'.repeat(LIMIT_BYTES - 1), false);
check('what is no UTF-8 is not known', Buffer.from([0xe9, 0x0a]), false);
