import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CONFIG } from './kanban-board.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A folder with a board in it, and the paths of its tasks. */
export function boardProject(tasks: Readonly<Record<string, string>>): {
  readonly folder: string;
  readonly fileOf: (name: string) => string;
} {
  const folder = temporaryFolder();
  const fileOf = (name: string): string => path.join(folder, 'kanban', 'tasks', name);
  mkdirSync(path.dirname(fileOf('x')), { recursive: true });
  writeFileSync(path.join(folder, 'kanban', 'config.yml'), CONFIG);
  for (const [name, text] of Object.entries(tasks)) writeFileSync(fileOf(name), text);
  return { folder, fileOf };
}
