import type { Pair } from 'yaml';
import type { HazardPolicy } from '../domain/run.ts';
import { amountsOf, type Defaults, NO_DEFAULTS, readDefaults } from './defaults.ts';
import { readHazards } from './hazards.ts';
import { PLAN_KEYS } from './keys.ts';
import { checkRequests, type Limits, NO_LIMITS, readLimits } from './limits.ts';
import type { ParsedPlan } from './plan.ts';
import { TaskReader } from './read-tasks.ts';
import { readCount, readKey, readText } from './yaml-values.ts';
import { ProblemList, rangeOf, readYamlMap } from './yaml-document.ts';

const PLAN_NAME = /^(?:interlock|.+\.interlock)\.ya?ml$/;

/** Whether a file of this name is a plan of the kind that this module reads. */
export function isPlanFileName(fileName: string): boolean {
  return PLAN_NAME.test(fileName);
}

/** Text to a plan. Never throws: what cannot be read is a problem, and the rest is read all the same. */
export function parseInterlockYaml(text: string): ParsedPlan {
  const problems = new ProblemList();
  const map = readYamlMap(text, problems);
  const head = readHead(map?.items ?? [], problems);
  const { name, limits, hazards, defaults } = head;
  const reader = new TaskReader(defaults, problems);
  for (const pair of head.tasks) reader.read(pair);
  checkRequests(reader.requests, limits, problems);
  return {
    name,
    parallel: limits.parallel,
    limits: amountsOf(limits.amounts.values()),
    hazards,
    tasks: reader.tasks,
    problems: problems.all,
  };
}

/** What a plan says besides its tasks, and where those are. */
interface Head {
  name: string | undefined;
  limits: Limits;
  hazards: Partial<HazardPolicy>;
  defaults: Defaults;
  readonly tasks: Pair[];
}

function readHead(pairs: readonly Pair[], problems: ProblemList): Head {
  const head: Head = {
    name: undefined,
    limits: NO_LIMITS,
    hazards: {},
    defaults: NO_DEFAULTS,
    tasks: [],
  };
  for (const pair of pairs)
    switch (readKey(pair, PLAN_KEYS, problems)) {
      case 'version':
        checkVersion(pair, problems);
        break;
      case 'name':
        head.name = readText(pair.value, 'name', problems);
        break;
      case 'limits':
        head.limits = readLimits(pair, problems);
        break;
      case 'hazards':
        head.hazards = readHazards(pair, problems);
        break;
      case 'defaults':
        head.defaults = readDefaults(pair, problems);
        break;
      case 'tasks':
        head.tasks.push(pair);
        break;
      default:
    }
  return head;
}

function checkVersion(pair: Pair, problems: ProblemList): void {
  const version = readCount(pair.value, 'version', problems);
  if (version !== undefined && version !== 1)
    problems.error('wrong-type', rangeOf(pair.value), 'This is read as version 1: "version: 1".');
}
