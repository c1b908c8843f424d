import type { TaskViewState } from '../protocol/tasks.ts';

/** The colours of a picture, as words of CSS. */
export interface Palette {
  readonly font: string;
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly grid: string;
  readonly node: string;
  /** Around what would else be told by its colour alone; a transparent one where colours suffice. */
  readonly contrast: string;
  readonly focus: string;
  readonly running: string;
  readonly completed: string;
  readonly failed: string;
  readonly attention: string;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Ubuntu, sans-serif';

/** For whoever has no theme. */
export const LIGHT: Palette = {
  font: FONT,
  background: '#ffffff',
  foreground: '#1f2328',
  muted: '#59636e',
  grid: '#d8dde3',
  node: '#f6f8fa',
  contrast: 'transparent',
  focus: '#0969da',
  running: '#0969da',
  completed: '#1a7f37',
  failed: '#cf222e',
  attention: '#9a6700',
};

export const DARK: Palette = {
  font: FONT,
  background: '#0d1117',
  foreground: '#e6edf3',
  muted: '#9198a1',
  grid: '#30363d',
  node: '#151b23',
  contrast: 'transparent',
  focus: '#4493f8',
  running: '#4493f8',
  completed: '#3fb950',
  failed: '#f85149',
  attention: '#d29922',
};

/** Which colour a state has; those without one are told by their sign and their words. */
const COLOUR_OF: Readonly<Partial<Record<TaskViewState, keyof Palette>>> = {
  blocked: 'attention',
  interrupted: 'attention',
  claimed: 'running',
  running: 'running',
  attention: 'attention',
  completed: 'completed',
  failed: 'failed',
};

/** The rules of a picture, without variables: many programs that show pictures know none. */
export function styleOf(palette: Palette): string {
  const { font, background, foreground, muted, grid, node, contrast, focus, failed } = palette;
  return [
    `.back{fill:${background}}`,
    `text{font-family:${font};font-size:12px;fill:${foreground}}`,
    `.muted{fill:${muted}}`,
    '.small{font-size:11px}',
    '.strong{font-weight:600}',
    `.grid{stroke:${grid};stroke-width:1;fill:none}`,
    `.now{stroke:${focus};stroke-width:1.5;fill:none}`,
    `.stripe{fill:${node};fill-opacity:.6}`,
    `.sign{fill:none;stroke:${foreground};stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}`,
    `.mark{fill:${background};stroke:${foreground};stroke-width:1.3}`,
    `.wait{stroke:${muted};stroke-width:2;fill:none}`,
    `.wait-files,.wait-limits{stroke:${failed}}`,
    `.wait-backoff,.wait-paused{stroke:${palette.attention}}`,
    `.bar{fill:${muted};stroke:${contrast};stroke-width:1}`,
    `.bar.hollow{fill:${background};stroke:${muted}}`,
    `.on-bar{stroke:${background};stroke-width:1.8;fill:none;stroke-linecap:round;stroke-linejoin:round}`,
    `.node{fill:${node};stroke:${grid};stroke-width:1}`,
    `.node.apart{stroke-dasharray:4 3;stroke:${muted}}`,
    `.edge{fill:none;stroke:${muted};stroke-width:1.2}`,
    `.edge.after{stroke-dasharray:6 3}`,
    `.edge.collides,.edge.cycle{stroke:${failed};stroke-width:1.5}`,
    '.edge.collides{stroke-dasharray:3 4}',
    `.tip{fill:${muted}}`,
    `.tip.cycle{fill:${failed}}`,
    ...Object.entries(COLOUR_OF).flatMap(([state, name]) => {
      const colour = palette[name];
      return [
        `.state-${state} .bar:not(.hollow){fill:${colour}}`,
        `.state-${state} .bar.hollow{stroke:${colour}}`,
        `.state-${state} .node{stroke:${colour};stroke-width:1.5}`,
        `.state-${state} .edge-of-node{fill:${colour}}`,
        `.state-${state} .sign{stroke:${colour}}`,
      ];
    }),
  ].join('\n');
}
