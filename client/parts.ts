import { logCommands } from './commands/log-commands.ts';
import { doctorCommands } from './commands/doctor-commands.ts';
import { boardCommands } from './commands/board-commands.ts';
import { exampleCommands } from './commands/example-commands.ts';
import { pictureCommands } from './commands/picture-commands.ts';
import { languageModelTools } from './agents/language-model-tools.ts';
import { mcpServers } from './agents/mcp-servers.ts';
import { planCommands } from './commands/plan-commands.ts';
import { hostCommands } from './commands/host-commands.ts';
import { sessionCommands } from './commands/session-commands.ts';
import { claimCommands } from './commands/claim-commands.ts';
import { runControlCommands } from './commands/run-control-commands.ts';
import { serverCommands } from './commands/server-commands.ts';
import { whyCommand } from './commands/why-command.ts';
import { workerCommands } from './commands/worker-commands.ts';
import { taskCommands } from './commands/task-commands.ts';
import { terminalCommands } from './commands/terminal-commands.ts';
import { keepContextKeys } from './context-keys.ts';
import { folderOrder } from './folder-order.ts';
import { notices } from './notices.ts';
import { serverSurvival } from './server-survival.ts';
import { settingChanges } from './setting-changes.ts';
import { overwrittenEdits } from './overwritten-edits.ts';
import { ownerBadges } from './views/owner-badges.ts';
import { statusBar } from './views/status-bar.ts';
import { taskTree } from './views/task-tree.ts';
import { workersView } from './views/workers.ts';
import { welcome } from './views/welcome.ts';
import type { Part } from './window.ts';

/** All of them; each is added to a window without the others knowing. */
export const PARTS: readonly Part[] = [
  keepContextKeys,
  serverSurvival,
  settingChanges,
  folderOrder,
  taskTree,
  welcome,
  statusBar,
  notices,
  ownerBadges,
  overwrittenEdits,
  taskCommands,
  terminalCommands,
  logCommands,
  runControlCommands,
  planCommands,
  pictureCommands,
  serverCommands,
  workersView,
  workerCommands,
  hostCommands,
  sessionCommands,
  claimCommands,
  whyCommand,
  doctorCommands,
  exampleCommands,
  boardCommands,
  languageModelTools,
  mcpServers,
];
