import { describe } from 'vitest';
import { SpawnRunner } from '../../../server/runners/spawn-runner.ts';
import {
  runnerContract,
  signalContract,
  startContract,
} from '../../support/contracts/runner-contract.ts';
import { CommandBench } from './command-bench.ts';

describe('in slots', () => {
  runnerContract(() => new CommandBench());
  signalContract(() => new CommandBench());
});

// What Windows has; nothing of it survives there, and little has to be done for that anywhere.
describe('as children', () => {
  startContract(spawning);
  signalContract(spawning);
});

function spawning(): CommandBench {
  return new CommandBench({ open: (options) => new SpawnRunner(options) });
}
