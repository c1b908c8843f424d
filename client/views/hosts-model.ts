import * as l10n from '@vscode/l10n';
import type { HostView, WorkerView } from '../../protocol/workers.ts';
import { plainText } from '../markdown.ts';
import { elapsedText } from '../time.ts';

/** How the way to a host looks; icons and colours are VS Code's own names. */
export interface HostLook {
  readonly icon: string;
  readonly color: string | undefined;
  /** Empty where there is nothing to say but what it does. */
  readonly words: string;
}

const WARNING = 'list.warningForeground';

export function hostLook({ state, why }: HostView): HostLook {
  switch (state) {
    case 'idle':
      return { icon: 'vm-outline', color: undefined, words: l10n.t('not in use') };
    case 'connecting':
      return { icon: 'loading~spin', color: undefined, words: l10n.t('connecting') };
    case 'reachable':
      return { icon: 'vm-active', color: undefined, words: '' };
    case 'reconnecting':
      return { icon: 'sync~spin', color: WARNING, words: withWhy(l10n.t('reconnecting'), why) };
    case 'unreachable':
      return {
        icon: 'debug-disconnect',
        color: WARNING,
        words: withWhy(l10n.t('unreachable'), why),
      };
    case 'unhealthy':
      return {
        icon: 'error',
        color: 'list.errorForeground',
        words: withWhy(l10n.t('given up'), why),
      };
    default:
      return state satisfies never;
  }
}

/** Paragraphs of Markdown. */
export function hostLines(host: HostView, now: number): readonly string[] {
  const { ssh, state, system, hasTmux, since } = host;
  const seconds = since === undefined ? 0 : Math.floor(Math.max(0, now - since) / 1000);
  return [
    l10n.t('By ssh: {0}', plainText(ssh)),
    ...(system === undefined ? [] : [plainText(system)]),
    ...(hasTmux === false
      ? [l10n.t('It has no tmux: tasks run there without sessions, and nobody can look into them.')]
      : []),
    ...(state === 'unhealthy'
      ? [l10n.t('Nobody has heard of it for a minute, so its tasks may go to others.')]
      : []),
    ...(seconds === 0 ? [] : [l10n.t('Like that for {0}', elapsedText(seconds * 1000))]),
  ];
}

/** What stands beside "Hosts", and above what has to be looked at. */
export function hostsSummary(views: readonly WorkerView[]): {
  readonly text: string;
  readonly hasTrouble: boolean;
} {
  const used = views.filter(({ host }) => host?.state !== 'idle');
  const reachable = used.filter(({ host, state }) =>
    host === undefined ? state !== 'away' : host.state === 'reachable',
  );
  const idle = views.length - used.length;
  const words = [
    ...(used.length > 0 ? [l10n.t('{0} of {1} reachable', reachable.length, used.length)] : []),
    ...(idle > 0 ? [l10n.t('{0} not in use', idle)] : []),
  ];
  const hasTrouble = views.some(({ host }) => host !== undefined && TROUBLES.has(host.state));
  return { text: words.join(', '), hasTrouble };
}

const TROUBLES: ReadonlySet<HostView['state']> = new Set([
  'reconnecting',
  'unreachable',
  'unhealthy',
]);

function withWhy(words: string, why: string): string {
  return why === '' ? words : `${words}: ${why}`;
}
