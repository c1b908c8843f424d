import { describe } from 'vitest';
import { runnerContract, signalContract } from '../../support/contracts/runner-contract.ts';
import { MachineBench } from './machine-bench.ts';

describe('in sessions', () => {
  runnerContract(() => new MachineBench());
  signalContract(() => new MachineBench());
});

describe('in terminals of sessions', () => {
  runnerContract(() => new MachineBench({ isInTerminal: true }));
  signalContract(() => new MachineBench({ isInTerminal: true }));
});
