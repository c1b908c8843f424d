import { type Finding, fine, note, wrong } from './finding.ts';
import type { MachineFacts, ProgramFacts } from './ports.ts';

/**
 * For each make of coding agent that is installed: whether it gets Interlock's tools, and whether its
 * hook is asked before it writes. Each is found out where it counts: a program is asked for its
 * servers where that starts none that its user has not approved, and its own files are read where it
 * would (opencode), or where it has no question for it.
 */
export type AgentMake = 'claude' | 'codex' | 'gemini' | 'copilot' | 'opencode';

/** What is known of one half of the set-up. */
type Half =
  | { readonly kind: 'works' }
  | { readonly kind: 'absent' }
  /** The program did not say. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** Something is there, and does not work: a clause, and what to do. */
  | { readonly kind: 'broken'; readonly found: string; readonly advice: string };

interface Make {
  readonly title: string;
  readonly tools: (machine: MachineFacts) => Promise<Half>;
  readonly hook: (machine: MachineFacts) => Promise<Half>;
}

const MAKES: Readonly<Record<AgentMake, Make>> = {
  claude: { title: 'Claude Code', tools: toolsOfClaude, hook: hookOfClaude },
  codex: { title: 'Codex', tools: toolsOfCodex, hook: hookOfCodex },
  gemini: { title: 'Gemini CLI', tools: toolsOfGemini, hook: hookOfGemini },
  copilot: { title: 'Copilot CLI', tools: toolsOfCopilot, hook: hookOfCopilot },
  opencode: { title: 'opencode', tools: toolsOfOpencode, hook: hookOfOpencode },
};

export const AGENT_MAKES: readonly AgentMake[] = [
  'claude',
  'codex',
  'gemini',
  'copilot',
  'opencode',
];

/** They are large programs: the slowest takes two seconds to say its version on a quiet machine. */
export const AGENT_PATIENCE_MS = 20_000;

/** Nothing where the make is not installed. */
export async function judgeAgent(
  make: AgentMake,
  machine: MachineFacts,
): Promise<Finding | undefined> {
  const said = await machine.program(make, ['--version'], AGENT_PATIENCE_MS);
  if (said.kind === 'absent') return undefined;
  const { title, tools: askTools, hook: askHook } = MAKES[make];
  if (said.kind === 'failed')
    return note(`${title} fails: ${said.message}`, `Make "${make} --version" work in a terminal.`);
  const version = /\d+\.\d+\.\d+(?:-[\w.]*\w)?/.exec(said.text)?.[0] ?? '';
  const name = `${title} ${version}`.trim();
  const [tools, hook] = await Promise.all([askTools(machine), askHook(machine)]);
  if (tools.kind === 'absent' && hook.kind === 'absent')
    return fine(`${name}, not set up for this folder (docs/AGENTS.md says how)`);
  const found = `${name}: ${halfText('tools', tools)}, ${halfText('hook', hook)}`;
  const unknown = [tools, hook].find((half) => half.kind === 'unknown');
  if (unknown !== undefined)
    return note(found, `Look again when the machine is less busy: ${unknown.why}.`);
  if (tools.kind === 'broken') return wrong(found, tools.advice);
  if (hook.kind === 'broken') return wrong(found, hook.advice);
  if (tools.kind === 'absent')
    return note(found, `It cannot claim tasks. Add the server to it: see docs/AGENTS.md.`);
  if (hook.kind === 'absent')
    return note(
      found,
      'Its writes are seen, and none is refused before it happens. Add the hook: see docs/AGENTS.md.',
    );
  return fine(found);
}

function halfText(name: string, half: Half): string {
  switch (half.kind) {
    case 'works':
      return `${name} work${name === 'hook' ? 's' : ''}`;
    case 'absent':
      return `no ${name}`;
    case 'unknown':
      return `${name} unknown`;
    case 'broken':
      return `${name} ${half.found}`;
    default:
      return half satisfies never;
  }
}

const WORKS: Half = { kind: 'works' };
const ABSENT: Half = { kind: 'absent' };

function unanswered(said: Exclude<ProgramFacts, { kind: 'said' }>): Half {
  return { kind: 'unknown', why: said.kind === 'failed' ? said.message : 'it cannot be asked' };
}

function broken(found: string, advice: string): Half {
  return { kind: 'broken', found, advice };
}

// Claude Code ----------------------------------------------------------------------------------

/** It starts only servers that its user has approved, and says of each how it is. */
async function toolsOfClaude({ program }: MachineFacts): Promise<Half> {
  const said = await program('claude', ['mcp', 'list'], AGENT_PATIENCE_MS);
  if (said.kind !== 'said') return unanswered(said);
  const line = lineOfOurs(said.text);
  if (line === undefined) return ABSENT;
  if (/pending/i.test(line))
    return broken(
      'wait for your approval',
      'Run "claude" in this folder once, and approve the server "interlock".',
    );
  if (/connected/i.test(line) && !/failed/i.test(line)) return WORKS;
  return broken(
    `do not answer (${afterDash(line)})`,
    'Run "interlock mcp" here and see what it says.',
  );
}

async function hookOfClaude(machine: MachineFacts): Promise<Half> {
  const files = ['.claude/settings.json', '.claude/settings.local.json'];
  const settings = [
    machine.configText('home', '.claude/settings.json'),
    ...files.map((file) => machine.configText('folder', file)),
  ].map(jsonOf);
  if (settings.some((each) => fieldOf(each, 'disableAllHooks') === true))
    return broken('is off', 'Remove "disableAllHooks" from the settings of Claude Code.');
  const hooks = settings.flatMap((each) => hooksOf(each, 'PreToolUse'));
  return await judgeHooks(machine, hooks, ['Write', 'Edit', 'NotebookEdit']);
}

// Codex ----------------------------------------------------------------------------------------

async function toolsOfCodex({ program, environment }: MachineFacts): Promise<Half> {
  const said = await program('codex', ['mcp', 'list', '--json'], AGENT_PATIENCE_MS);
  if (said.kind !== 'said') return unanswered(said);
  const ours = listOf(jsonOf(said.text)).find((server) => mentionsUs(JSON.stringify(server)));
  if (ours === undefined) return ABSENT;
  if (fieldOf(ours, 'enabled') === false)
    return broken('are disabled', 'Set enabled = true under [mcp_servers.interlock].');
  // Codex starts servers without its own environment.
  const passed = listOf(fieldOf(fieldOf(ours, 'transport'), 'env_vars'));
  const missing = ['INTERLOCK_WORKER', 'INTERLOCK_STATE_DIR', 'XDG_STATE_HOME'].filter(
    (name) => environment(name) !== undefined && !passed.includes(name),
  );
  if (missing.length === 0) return WORKS;
  return broken(
    `do not see ${missing.join(', ')}: they may be another worker, or at another board, than its hook`,
    `Add env_vars = [${missing.map((name) => `"${name}"`).join(', ')}] under [mcp_servers.interlock].`,
  );
}

/** It alone knows whether a hook is trusted, and says so to programs only. */
async function hookOfCodex(machine: MachineFacts): Promise<Half> {
  const said = await machine.converse(
    'codex',
    ['app-server'],
    [
      { id: 1, method: 'initialize', params: { clientInfo: { name: 'interlock', version: '1' } } },
      { method: 'initialized' },
      { id: 2, method: 'hooks/list', params: { cwds: [machine.folder] } },
    ],
  );
  if (said.kind !== 'said') return unanswered(said);
  const [entry] = listOf(fieldOf(fieldOf(jsonOf(said.text), 'result'), 'data'));
  const ours = listOf(fieldOf(entry, 'hooks')).filter(
    (hook) => fieldOf(hook, 'eventName') === 'preToolUse' && isOurHook(fieldOf(hook, 'command')),
  );
  const trusted = ours.filter(
    (hook) =>
      fieldOf(hook, 'enabled') !== false &&
      (fieldOf(hook, 'isManaged') === true || fieldOf(hook, 'trustStatus') === 'trusted'),
  );
  if (ours.length > 0 && trusted.length === 0)
    return broken(
      'is not trusted, so Codex skips it without a word',
      'Run "codex" in this folder, type /hooks, and trust it. That is needed again after each change of it.',
    );
  const hooks = trusted.map((hook) => ({
    matcher: textOf(fieldOf(hook, 'matcher')),
    command: textOf(fieldOf(hook, 'command')),
  }));
  return await judgeHooks(machine, hooks, ['apply_patch', 'Bash']);
}

// Gemini CLI -----------------------------------------------------------------------------------

async function toolsOfGemini({ program }: MachineFacts): Promise<Half> {
  const said = await program('gemini', ['mcp', 'list'], AGENT_PATIENCE_MS);
  if (said.kind !== 'said') return unanswered(said);
  const line = lineOfOurs(said.text);
  if (line === undefined) return ABSENT;
  if (/disabled/i.test(line))
    return broken(
      'and hook are off: Gemini CLI does not trust this folder',
      'Trust it in "gemini", or set GEMINI_CLI_TRUST_WORKSPACE=true where it runs without a person. --skip-trust loads neither.',
    );
  if (/connected/i.test(line) && !/disconnected/i.test(line)) return WORKS;
  return broken(
    `do not answer (${afterDash(line)})`,
    'Run "interlock mcp" here and see what it says.',
  );
}

async function hookOfGemini(machine: MachineFacts): Promise<Half> {
  const settings = (['home', 'folder'] as const).map((where) =>
    jsonOf(machine.configText(where, '.gemini/settings.json')),
  );
  const hooks = settings.flatMap((each) => hooksOf(each, 'BeforeTool'));
  return await judgeHooks(machine, hooks, ['write_file', 'replace']);
}

// Copilot CLI ----------------------------------------------------------------------------------

async function toolsOfCopilot({ program, configText }: MachineFacts): Promise<Half> {
  const said = await program('copilot', ['mcp', 'list', '--json'], AGENT_PATIENCE_MS);
  if (said.kind !== 'said') return unanswered(said);
  const servers = valuesOf(fieldOf(jsonOf(said.text), 'mcpServers'));
  const ours = servers.find(([name, server]) => mentionsUs(name + JSON.stringify(server)));
  if (ours !== undefined)
    return fieldOf(ours[1], 'enabled') === false
      ? broken('are disabled', 'Run "copilot mcp enable interlock".')
      : WORKS;
  const files = ['.mcp.json', '.github/mcp.json'].map((file) => configText('folder', file) ?? '');
  if (!files.some(mentionsUs)) return ABSENT;
  return broken(
    'and hook are off: Copilot does not trust this folder',
    'Start "copilot" in this folder once and trust it, or pass --trust-folder.',
  );
}

/** It reads hooks of its own, and those of Claude Code. */
async function hookOfCopilot(machine: MachineFacts): Promise<Half> {
  const own = ['interlock.json', 'hooks.json'].map((file) =>
    jsonOf(machine.configText('folder', `.github/hooks/${file}`)),
  );
  if (own.some((each) => hooksOf(each, 'preToolUse').length > 0))
    return broken(
      'is named "preToolUse", whose events do not say what is written',
      'Name the event "PreToolUse", with capitals, in .github/hooks.',
    );
  const claude = jsonOf(machine.configText('folder', '.claude/settings.json'));
  const hooks = [...own, claude].flatMap((each) => hooksOf(each, 'PreToolUse'));
  return await judgeHooks(machine, hooks, ['Write', 'Edit']);
}

// opencode -------------------------------------------------------------------------------------

/** Asked for its servers it would start all that a folder names, and nobody has approved those. */
async function toolsOfOpencode(machine: MachineFacts): Promise<Half> {
  const texts = (['opencode.json', 'opencode.jsonc'] as const).flatMap((file) => [
    machine.configText('folder', file),
    machine.configText('home', `.config/opencode/${file}`),
  ]);
  for (const text of texts) {
    const servers = valuesOf(fieldOf(jsonOf(text), 'mcp'));
    const ours = servers.find(([name, server]) => mentionsUs(name + JSON.stringify(server)));
    if (ours === undefined) continue;
    return fieldOf(ours[1], 'enabled') === false
      ? broken('are disabled', 'Set "enabled": true for it in opencode.json.')
      : WORKS;
  }
  return ABSENT;
}

async function hookOfOpencode({ configText }: MachineFacts): Promise<Half> {
  const folders = [
    ['folder', '.opencode'],
    ['home', '.config/opencode'],
  ] as const;
  const texts = folders.flatMap(([where, folder]) =>
    ['plugins', 'plugin'].flatMap((plugins) =>
      ['js', 'ts'].map((end) => configText(where, `${folder}/${plugins}/interlock.${end}`)),
    ),
  );
  return texts.some((text) => text !== undefined && isOurHook(text)) ? WORKS : ABSENT;
}

// What their files have in common --------------------------------------------------------------

interface HookEntry {
  readonly matcher: string;
  readonly command: string;
}

/** Of `{ "hooks": { EVENT: [{ matcher, hooks: [{ command }] }] } }`: those that run ours. */
function hooksOf(settings: unknown, event: string): readonly HookEntry[] {
  return listOf(fieldOf(fieldOf(settings, 'hooks'), event)).flatMap((group) =>
    [group, ...listOf(fieldOf(group, 'hooks'))].flatMap((hook) => {
      const command = fieldOf(hook, 'command');
      return isOurHook(command) ? { matcher: textOf(fieldOf(group, 'matcher')), command } : [];
    }),
  );
}

/** Whether their program is there, and they are asked before each of the tools that write. */
async function judgeHooks(
  { program }: MachineFacts,
  hooks: readonly HookEntry[],
  tools: readonly string[],
): Promise<Half> {
  if (hooks.length === 0) return ABSENT;
  const isByName = hooks.some(({ command }) => /^interlock(\s|$)/.test(command.trim()));
  if (isByName && (await program('interlock', ['--version'])).kind === 'absent')
    return broken(
      'runs "interlock", which is not on the PATH',
      'Put it there, or write "node /path/to/interlock/dist/cli.js hook".',
    );
  const missed = tools.filter((tool) => !hooks.some(({ matcher }) => covers(matcher, tool)));
  if (missed.length === 0) return WORKS;
  return broken(
    `is not asked before ${missed.join(', ')}`,
    `Let its "matcher" be "${tools.join('|')}".`,
  );
}

/** Words between bars, as all makes read them. Any other pattern is not worked out: it may hang. */
function covers(matcher: string, tool: string): boolean {
  if (matcher === '' || matcher === '*' || matcher === '.*') return true;
  const words = matcher.split('|').map((word) => word.replaceAll(/^[\^(]+|[)$]+$/g, ''));
  return words.includes(tool) || words.some((word) => word.includes('.*'));
}

function isOurHook(command: unknown): command is string {
  return typeof command === 'string' && mentionsUs(command) && /\bhook\b/.test(command);
}

function mentionsUs(text: string): boolean {
  return /interlock/i.test(text);
}

function lineOfOurs(text: string): string | undefined {
  return text.split('\n').find((line) => mentionsUs(line) && line.includes(':'));
}

function afterDash(line: string): string {
  return line.split(' - ').at(-1)?.trim() ?? '';
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** A matcher that is no text matches nothing; an absent one matches all. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : 'not a text';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function valuesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
