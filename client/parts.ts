import { languageModelTools } from './agents/language-model-tools.ts';
import { mcpServers } from './agents/mcp-servers.ts';
import { planCommands } from './commands/plan-commands.ts';
import { serverCommands } from './commands/server-commands.ts';
import { taskCommands } from './commands/task-commands.ts';
import { keepContextKeys } from './context-keys.ts';
import { runNotices } from './run-notice.ts';
import { ownerBadges } from './views/owner-badges.ts';
import { statusBar } from './views/status-bar.ts';
import { taskTree } from './views/task-tree.ts';
import type { Part } from './window.ts';

/** All of them; each is added to a window without the others knowing. */
export const PARTS: readonly Part[] = [
  keepContextKeys,
  taskTree,
  statusBar,
  runNotices,
  ownerBadges,
  taskCommands,
  planCommands,
  serverCommands,
  languageModelTools,
  mcpServers,
];
