import { expect, test } from 'vitest';
import { type AgentMake, judgeAgent } from '../../../server/doctor/judge-agents.ts';
import type { MachineFacts, ProgramFacts } from '../../../server/doctor/ports.ts';

interface Installed {
  /** What programs print, by their command lines, as the real ones printed it. */
  readonly says?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly codexHooks?: readonly object[];
}

function unused(): never {
  throw new Error('a make of agent is judged without this');
}

function machine({ says = {}, files = {}, env = {}, codexHooks = [] }: Installed): MachineFacts {
  const reply = { id: 2, result: { data: [{ cwd: '/project', hooks: codexHooks }] } };
  return {
    runtime: unused,
    sqlite: unused,
    state: unused,
    store: unused,
    decider: unused,
    watches: unused,
    clock: unused,
    folder: '/project',
    environment: (name) => env[name],
    configText: (where, file) => files[where === 'home' ? `~/${file}` : file],
    converse: async () => ({ kind: 'said', text: JSON.stringify(reply) }),
    program: async (command, args): Promise<ProgramFacts> => {
      const text = says[[command, ...args].join(' ')];
      return text === undefined ? { kind: 'absent' } : { kind: 'said', text };
    },
  };
}

/** What the row says, with what to do after a bar. */
function check(behavior: string, make: AgentMake, installed: Installed, expected: string): void {
  test(behavior, async () => {
    const finding = await judgeAgent(make, machine(installed));
    const { state = 'left out', found = '', advice } = finding ?? {};
    const text = `${state} ${found}${advice === undefined ? '' : ` | ${advice}`}`;
    expect(text.trim()).toContain(expected);
  });
}

const HOOK = [{ type: 'command', command: 'node /opt/interlock/dist/cli.js hook' }];
const BY_NAME = [{ type: 'command', command: 'interlock hook' }];
const hooksIn = (event: string, matcher: string, hooks: readonly object[] = HOOK): string =>
  JSON.stringify({ hooks: { [event]: [{ matcher, hooks }] } });

const CLAUDE = { 'claude --version': '2.1.328 (Claude Code)' };
const CLAUDE_LIST = 'Checking MCP server health…\n\ninterlock: interlock mcp - ';
const CLAUDE_CONNECTED = { ...CLAUDE, 'claude mcp list': `${CLAUDE_LIST}✔ Connected` };
const ALL_WRITES = 'Write|Edit|NotebookEdit';

check('a make that is not installed has no row', 'claude', {}, 'left out');
check(
  'a make that is not set up here is fine',
  'claude',
  { says: { ...CLAUDE, 'claude mcp list': 'No MCP servers configured.' } },
  'fine Claude Code 2.1.328, not set up for this folder',
);
check(
  'tools and hook of Claude Code work',
  'claude',
  {
    says: CLAUDE_CONNECTED,
    files: { '.claude/settings.json': hooksIn('PreToolUse', ALL_WRITES) },
  },
  'fine Claude Code 2.1.328: tools work, hook works',
);
check(
  'a server that Claude Code has not approved is wrong',
  'claude',
  { says: { ...CLAUDE, 'claude mcp list': `${CLAUDE_LIST}⏸ Pending approval (run \`claude\`)` } },
  'wrong Claude Code 2.1.328: tools wait for your approval, no hook | Run "claude"',
);
check(
  'a server that does not answer is wrong',
  'claude',
  { says: { ...CLAUDE, 'claude mcp list': `${CLAUDE_LIST}✗ Failed to connect` } },
  'tools do not answer (✗ Failed to connect)',
);
check(
  'a hook that misses a tool names it',
  'claude',
  { says: CLAUDE_CONNECTED, files: { '~/.claude/settings.json': hooksIn('PreToolUse', 'Write') } },
  'wrong Claude Code 2.1.328: tools work, hook is not asked before Edit, NotebookEdit | Let its',
);
check(
  'hooks that are all off are wrong',
  'claude',
  { says: CLAUDE_CONNECTED, files: { '.claude/settings.json': '{"disableAllHooks": true}' } },
  'hook is off',
);
check(
  'a hook whose program is not on the PATH is wrong',
  'claude',
  {
    says: CLAUDE_CONNECTED,
    files: { '.claude/settings.json': hooksIn('PreToolUse', ALL_WRITES, BY_NAME) },
  },
  'hook runs "interlock", which is not on the PATH',
);
check(
  'settings that are no JSON count as none',
  'claude',
  { says: CLAUDE_CONNECTED, files: { '.claude/settings.json': '{"hooks": [' } },
  'note Claude Code 2.1.328: tools work, no hook',
);

const CODEX_SERVER = { name: 'interlock', enabled: true, transport: { env_vars: [] as string[] } };
const CODEX = {
  'codex --version': 'codex-cli 0.169.0',
  'codex mcp list --json': JSON.stringify([CODEX_SERVER]),
};
const CODEX_HOOK = {
  eventName: 'preToolUse',
  command: 'node /opt/interlock/dist/cli.js hook',
  matcher: 'apply_patch|Bash',
  enabled: true,
  isManaged: false,
  trustStatus: 'trusted',
};
check(
  'tools and trusted hook of Codex work',
  'codex',
  { says: CODEX, codexHooks: [CODEX_HOOK] },
  'fine Codex 0.169.0: tools work, hook works',
);
check(
  'a hook that Codex does not trust is wrong',
  'codex',
  { says: CODEX, codexHooks: [{ ...CODEX_HOOK, trustStatus: 'untrusted' }] },
  'hook is not trusted, so Codex skips it without a word | Run "codex"',
);
check(
  'a hook of Codex that is not asked before the shell is wrong',
  'codex',
  { says: CODEX, codexHooks: [{ ...CODEX_HOOK, matcher: 'apply_patch' }] },
  'hook is not asked before Bash',
);
check(
  'a variable that Codex does not pass on is wrong',
  'codex',
  { says: CODEX, codexHooks: [CODEX_HOOK], env: { XDG_STATE_HOME: '/state' } },
  'tools do not see XDG_STATE_HOME: they may be another worker, or at another board, than its hook, hook works | Add env_vars = ["XDG_STATE_HOME"]',
);

const GEMINI = { 'gemini --version': '0.61.0' };
const GEMINI_HOOK = { '.gemini/settings.json': hooksIn('BeforeTool', 'write_file|replace') };
check(
  'tools and hook of Gemini work',
  'gemini',
  {
    says: { ...GEMINI, 'gemini mcp list': '✓ interlock: interlock mcp (stdio) - Connected' },
    files: GEMINI_HOOK,
  },
  'fine Gemini CLI 0.61.0: tools work, hook works',
);
check(
  'a folder that Gemini does not trust is wrong',
  'gemini',
  {
    says: { ...GEMINI, 'gemini mcp list': '○ interlock: interlock mcp (stdio) - Disabled' },
    files: GEMINI_HOOK,
  },
  'Gemini CLI does not trust this folder',
);

const COPILOT = { 'copilot --version': "GitHub Copilot CLI 1.0.102.\nRun 'copilot update'" };
const COPILOT_ON = {
  ...COPILOT,
  'copilot mcp list --json': '{"mcpServers":{"interlock":{"command":"interlock","enabled":true}}}',
};
check(
  'Copilot takes the hook of Claude Code',
  'copilot',
  { says: COPILOT_ON, files: { '.claude/settings.json': hooksIn('PreToolUse', 'Write|Edit') } },
  'fine Copilot CLI 1.0.102: tools work, hook works',
);
check(
  'a hook of Copilot in camel case is wrong',
  'copilot',
  { says: COPILOT_ON, files: { '.github/hooks/interlock.json': hooksIn('preToolUse', '') } },
  'hook is named "preToolUse"',
);
check(
  'a folder that Copilot does not trust is wrong',
  'copilot',
  {
    says: { ...COPILOT, 'copilot mcp list --json': '{"mcpServers":{}}' },
    files: { '.mcp.json': '{"mcpServers":{"interlock":{"command":"interlock"}}}' },
  },
  'Copilot does not trust this folder',
);

check(
  'the server and the plugin of opencode are found in its files',
  'opencode',
  {
    says: { 'opencode --version': '1.18.33' },
    files: {
      'opencode.json': '{"mcp":{"interlock":{"type":"local","command":["interlock","mcp"]}}}',
      '.opencode/plugins/interlock.js': 'spawn("interlock", ["hook"])',
    },
  },
  'fine opencode 1.18.33: tools work, hook works',
);
