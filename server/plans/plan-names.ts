import { closest } from './closest.ts';
import type { PlanSource } from './plan-source.ts';

/** A plan, as others may call it. */
export interface NamedPlan {
  readonly path: string;
  readonly knownAs: string;
  /** Its path without what says of what kind it is; of a plan that is a folder's, the folder's. */
  readonly shortPath: string;
}

type FoundPlan =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'several'; readonly plans: readonly NamedPlan[] }
  | { readonly kind: 'unknown' };

const EXTENSION = /\.[^./]+$/;
const KIND = /(?<=[^/])\.interlock$/;

/** `written` is what a plan says of itself; `folder` is what the workspace folder is called. */
export function namedPlan(
  source: Pick<PlanSource, 'path' | 'kind'>,
  { written, folder }: { readonly written: string | undefined; readonly folder: string },
): NamedPlan {
  const shortPath = shortPathOf(source);
  const given = written === undefined || written === '' ? undefined : written;
  return { path: source.path, shortPath, knownAs: given ?? defaultName(source, folder) };
}

/** Which plan is meant by a name, or by a path without its extension. A name that fits exactly counts first. */
export class PlanNames {
  readonly #plans: readonly NamedPlan[];
  readonly #byName = new Map<string, NamedPlan[]>();
  readonly #byPath = new Map<string, NamedPlan[]>();

  constructor(plans: readonly NamedPlan[]) {
    this.#plans = plans;
    for (const plan of plans) {
      addTo(this.#byName, plan.knownAs, plan);
      for (const path of new Set([plan.shortPath, plan.path.replace(EXTENSION, '')]))
        addTo(this.#byPath, path, plan);
    }
  }

  find(text: string): FoundPlan {
    const plans = this.#byName.get(text) ?? this.#byPath.get(text) ?? [];
    const [first] = plans;
    if (first === undefined) return { kind: 'unknown' };
    return plans.length === 1 ? { kind: 'found', path: first.path } : { kind: 'several', plans };
  }

  /** What was meant, where it is close enough; compares the text with all names. */
  closestTo(text: string): string | undefined {
    const names = this.#plans.flatMap(({ knownAs, shortPath }) => [knownAs, shortPath]);
    return closest(text, new Set(names));
  }
}

function addTo(plans: Map<string, NamedPlan[]>, name: string, plan: NamedPlan): void {
  const known = plans.get(name);
  if (known === undefined) plans.set(name, [plan]);
  else known.push(plan);
}

function shortPathOf({ path, kind }: Pick<PlanSource, 'path' | 'kind'>): string {
  const folder = folderOf(path);
  const short = path.replace(EXTENSION, '').replace(KIND, '');
  const isOfFolder = kind === 'kanban' || lastName(short) === 'interlock';
  return isOfFolder && folder !== '' ? folder : short;
}

function defaultName({ path, kind }: Pick<PlanSource, 'path' | 'kind'>, folder: string): string {
  const short = lastName(shortPathOf({ path, kind }));
  const isOfRoot = !path.includes('/') && (kind === 'kanban' || short === 'interlock');
  return isOfRoot ? folder : short;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
