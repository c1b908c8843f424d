import type { WorkerId } from '../domain/ids.ts';
import type { BoardCalls } from '../engine/board-calls.ts';
import type { Alarm } from '../engine/ports.ts';
import { StoreError } from '../engine/store-error.ts';
import type { Worker } from '../scheduler/model/workers.ts';
import { LinkLost } from './links.ts';

type Route = () => Promise<BoardCalls>;

const TRIES = 20;
const PAUSE_MS = 25;

/**
 * Asks whoever decides now. A request that was lost with the one who decided is asked again of the
 * next one: it has an operation id, so it counts once.
 */
export class RoutedCalls implements BoardCalls {
  readonly #route: Route;
  readonly #alarm: Alarm;
  readonly #present: Map<WorkerId, Worker>;

  /** `present` is kept up to date: the workers who are at the board through this process. */
  constructor(
    route: Route,
    { alarm, present }: { readonly alarm: Alarm; readonly present: Map<WorkerId, Worker> },
  ) {
    this.#route = route;
    this.#alarm = alarm;
    this.#present = present;
  }

  submit: BoardCalls['submit'] = async (request) =>
    await this.#ask(async (calls) => await calls.submit(request));

  submitTogether: BoardCalls['submitTogether'] = async (requests) =>
    await this.#ask(async (calls) => await calls.submitTogether(requests));

  control: BoardCalls['control'] = async (request, operation) =>
    await this.#ask(async (calls) => await calls.control(request, operation));

  claim: BoardCalls['claim'] = async (call) => {
    this.#present.set(call.worker.id, call.worker);
    return await this.#ask(async (calls) => await calls.claim(call));
  };

  say: BoardCalls['say'] = async (request, operation) =>
    await this.#ask(async (calls) => await calls.say(request, operation));

  own: BoardCalls['own'] = async (request, operation) =>
    await this.#ask(async (calls) => await calls.own(request, operation));

  hook: BoardCalls['hook'] = async (request) =>
    await this.#ask(async (calls) => await calls.hook(request));

  free: BoardCalls['free'] = async (id) => await this.#ask(async (calls) => await calls.free(id));

  askRelease: BoardCalls['askRelease'] = async (request, operation) =>
    await this.#ask(async (calls) => await calls.askRelease(request, operation));

  greet: BoardCalls['greet'] = async (worker) => {
    this.#present.set(worker.id, worker);
    await this.#ask(async (calls) => await calls.greet(worker));
  };

  leave: BoardCalls['leave'] = async (worker, agent) => {
    this.#present.delete(worker);
    await this.#ask(async (calls) => await calls.leave(worker, agent));
  };

  told: BoardCalls['told'] = async (worker, terms) =>
    await this.#ask(async (calls) => await calls.told(worker, terms));

  async #ask<T>(ask: (calls: BoardCalls) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(await this.#route());
      } catch (error) {
        const isLost =
          error instanceof LinkLost || (error instanceof StoreError && error.reason === 'deposed');
        if (!isLost || tries === TRIES) throw error;
      }
      await new Promise<void>((resolve) => {
        this.#alarm.after(PAUSE_MS * tries, resolve);
      });
    }
  }
}
