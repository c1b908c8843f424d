import { inFile } from './planting.mjs';

/**
 * Faults in what happens at hosts, and with those that are silent.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_AT_HOSTS = [
  ...inFile('server/scheduler/model/asked-hosts.ts', [
    {
      name: 'the engine asks for no hosts where something may start',
      find: 'for (const host of run.hosts) asked.add(host);',
      replace: '',
    },
  ]),
  ...inFile('server/engine/hosts.ts', [
    {
      name: 'the engine asks for hosts once',
      find: 'if (this.#wanted !== undefined && areEqual(this.#wanted, asked)) return;',
      replace: 'if ((this.#wanted?.length ?? 0) > 0) return;',
    },
    {
      name: 'a host that is gone is taken to be there',
      find: "writer.record([{ kind: 'placeGone', at: writer.now(), place: name }]);",
      replace: 'void name;',
    },
    {
      name: 'a host that is seen is not written down',
      find: "writer.record([{ kind: 'placeSeen', at: writer.now(), place }]);",
      replace: '',
    },
  ]),
  ...inFile('server/engine/commands.ts', [
    {
      name: 'the engine keeps what nobody waits for',
      find: 'if (this.#known.delete(term)) this.#quiet.delete(term);',
      replace: 'if (this.#known.has(term)) this.#quiet.delete(term);',
    },
    {
      name: 'the engine forgets what nobody waits for',
      find: 'this.#unseen = new Map(this.#unseen).set(term, this.#writer.now());',
      replace: '',
      equivalent: 'what is lost is swept and tried again all the same',
    },
    {
      name: 'the engine waits for no host when it begins',
      find: 'laterBy(this.#writer.now(), isFar ? PATIENCE_MS : 0)',
      replace: 'laterBy(this.#writer.now(), isFar ? 0 : 0)',
    },
    {
      name: 'the engine takes an order for a start',
      find: "if (result.kind === 'ordered') this.#known.set(term, which);",
      replace: "if (result.kind === 'ordered') void which;",
    },
  ]),
  ...inFile('server/scheduler/model/consequences.ts', [
    {
      name: 'every host gives each attempt a tree of its own',
      find: 'board.workers.places.get(place)?.isIsolated === true',
      replace: 'place !== LOCAL',
    },
    {
      name: 'the scheduler does not remember where a task ran',
      find: 'entry.ranAt = place === LOCAL ? undefined : place;',
      replace: 'entry.ranAt = undefined;',
      equivalent: 'any place that takes a task will do',
    },
  ]),
  ...inFile('server/scheduler/model/owner-table.ts', [
    {
      name: 'a task does not wait for what it has lost',
      find: 'if (!isApart) entry.leftover = owner;',
      replace: '',
    },
    {
      name: 'a task waits for what is in nobody’s way',
      find: 'if (!isApart) entry.leftover = owner;',
      replace: 'entry.leftover = owner;',
    },
  ]),
  ...inFile('server/engine/commands.ts', [
    {
      name: 'a silent host keeps its task for ever though others could take it',
      find: '(stop === undefined && mustWaitFor(this.#board, entry.asks, worker))',
      replace: 'true',
    },
  ]),
  ...inFile('server/scheduler/model/board-facts.ts', [
    {
      name: 'who works in a tree of its own is forgotten',
      find: 'return isApart ? { ...which, isApart } : which;',
      replace: 'return which;',
    },
  ]),
  ...inFile('server/scheduler/model/leftover-facts.ts', [
    {
      name: 'what was lost in a tree of its own is forgotten',
      find: '...(isApart && { isApart }),',
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/run-facts.ts', [
    {
      name: 'where a task ran is forgotten',
      find: '...(ranAt !== undefined && { ranAt }),',
      replace: '',
    },
  ]),
  ...inFile('server/scheduler/model/board-model.ts', [
    {
      name: 'a revised task waits for what is in nobody’s way',
      find: 'if (entry !== undefined && !leftover.isApart)',
      replace: 'if (entry !== undefined)',
      isRare: true,
    },
  ]),
];
