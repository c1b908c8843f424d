import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { askOnce, type OneRequest } from '../../../server/coordinator/ask-once.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serve } from './echo-board.ts';

function asking(directory: string, request: Partial<OneRequest> = {}): OneRequest {
  return {
    directory,
    name: 'ann',
    build: '2.0.0',
    method: 'echo',
    params: { a: 1 },
    timeoutMs: 10_000,
    ...request,
  };
}
