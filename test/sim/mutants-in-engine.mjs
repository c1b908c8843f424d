import { inFile } from './planting.mjs';

/**
 * Faults in the loop: what it writes, when it acts and answers, and what it makes of what it finds.
 *
 * @type {readonly import('./planting.mjs').Mutant[]}
 */
export const MUTANTS_IN_ENGINE = [
  ...inFile('server/engine/engine.ts', [
    {
      name: 'the engine acts before it commits',
      find: 'if (!this.#isAtFault) this.#decide(committed);',
      replace: `this.#decide(committed);
        for (const each of committed.splice(0)) this.#act(each);`,
    },
    {
      name: 'the engine says that ends are written before they are',
      find: 'let seenAt = this.#seenAt;',
      replace: 'let seenAt = this.#seenAt; this.#ports.runner.settled();',
    },
    {
      name: 'the engine answers before it commits',
      find: 'const then = (value: T) => () => answer(value);',
      replace: 'const then = (value: T) => void answer(value);',
    },
    {
      name: 'the engine forgets what was rolled back and must be kept',
      find: 'step !== culprit && !isRefused(step)',
      replace: 'step.refuse !== undefined && !isRefused(step)',
    },
    {
      name: 'the engine forgets what the disk had no room for',
      find: 'if (culprit !== undefined && culprit.refuse === undefined && isWorld)',
      replace: 'if (culprit !== undefined && culprit.refuse === undefined && this.#failures > 99)',
    },
    {
      name: 'the engine says nothing to those whose request was rolled back',
      find: 'step === culprit || isRefused(step)) step.refuse?.(error);',
      replace: 'step === culprit) step.refuse?.(error);',
    },
    {
      name: 'the engine confirms no lease after a sleep',
      find: 'this.#confirmAfterSleep();',
      replace: '',
    },
    {
      name: 'the engine confirms leases only after a long sleep',
      find: 'const SLEPT_MS = 3 * LOOK_MS;',
      replace: 'const SLEPT_MS = 12 * LOOK_MS;',
    },
    {
      name: 'the engine confirms no lease when it begins',
      find: `this.#commands.confirmLeases(lastAt);
        this.#hosts`,
      replace: 'this.#hosts',
    },
    {
      name: 'the engine never notes that it was there',
      find: 'this.#seenAt = seenAt;',
      replace: '',
    },
    {
      name: 'the engine believes that it was there while the disk wrote',
      find: 'this.#seenAt = seenAt;',
      replace: 'this.#seenAt = this.#writer.now();',
    },
    {
      name: 'the engine decides before it has taken over',
      find: `if (this.#hasEnded()) return;
    this.#inbox.unshift(`,
      replace: `this.#state = 'deciding';
    this.#turn();
    this.#inbox.unshift(`,
    },
    {
      name: 'the engine decides before it takes in what has come',
      find: `        for (const step of steps) {
          progress.step = step;
          const then = step.perform();
          if (then !== undefined) after.push(then);
        }
        progress.step = undefined;
        if (!this.#isAtFault) this.#decide(committed);`,
      replace: `        this.#decide(committed);
        for (const step of steps) {
          progress.step = step;
          const then = step.perform();
          if (then !== undefined) after.push(then);
        }
        progress.step = undefined;`,
    },
    {
      name: 'the engine decides one round a turn',
      find: 'if (decisions.length === 0) return;',
      replace: 'if (decisions.length === 0 || committed.length > 0) return;',
    },
    {
      name: 'the engine does not keep what it runs',
      find: 'this.#commands.keepOwn(now);',
      replace: '',
    },
    {
      name: 'the engine sets no alarm',
      find: 'if (dueAt !== undefined) this.#wakeFor(dueAt);',
      replace: 'if (dueAt !== undefined && this.#failures > 99) this.#wakeFor(dueAt);',
    },
    {
      name: 'the alarm of the engine is late',
      find: 'const leftMs = Math.max(1, dueAt - now);',
      replace: 'const leftMs = 20_000 + Math.max(1, dueAt - now);',
    },
    {
      name: 'the engine does not try again when the disk has failed',
      find: `this.#failures += 1;
    this.#due?.[Symbol.dispose]();
    this.#due = this.#ports.alarm.after(delayMs, () => this.#turn());`,
      replace: 'void delayMs;',
    },
    {
      name: 'the engine looks after commands once',
      find: `this.#look = undefined;
        this.#lookAfter();`,
      replace: 'this.#lookAfter();',
    },
    {
      name: 'the engine looks after commands too rarely',
      find: 'this.#ports.alarm.after(LOOK_MS, () => {',
      replace: 'this.#ports.alarm.after(LOOK_MS * 20, () => {',
    },
    {
      name: 'the engine tells nobody what was written',
      find: 'this.#guard(() => this.#ports.listener.committed(fresh));',
      replace: '',
    },
    {
      name: 'a process that wakes does not ask whether it is the latest before it acts',
      find: 'if (this.#wasTakenOver(seenAt)) {',
      replace: 'if (seenAt < 0) {',
    },
    {
      name: 'a process that wakes does not ask whether it is the latest before it looks for commands',
      find: 'if (this.#wasTakenOver(beganAt)) {',
      replace: 'if (beganAt < 0) {',
    },
    {
      name: 'a process asks whether it is the latest only after a long sleep',
      find: 'this.#writer.now() - writtenAt <= HELD_UP_MS',
      replace: 'this.#writer.now() - writtenAt <= 100 * HELD_UP_MS',
    },
    {
      name: 'an engine that ends does not say so',
      find: "this.#writer.record([{ kind: 'permissionChanged', at, permission: 'shutting-down' }]);",
      replace: 'void at;',
    },
  ]),
  ...inFile('server/engine/commands.ts', [
    {
      name: 'the engine starts what was decided though the lease is over by then',
      find: 'if (holder.stop !== undefined || isOver(holder.expiresAt, at)) return;',
      replace: 'if (holder.stop !== undefined) return;',
    },
    {
      name: 'the engine starts what is to stop',
      find: 'if (holder.stop !== undefined || isOver(holder.expiresAt, at)) return;',
      replace: 'if (isOver(holder.expiresAt, at)) return;',
      equivalent: 'no turn stops what it has claimed itself, and a start is part of the turn',
    },
    {
      name: 'the engine never sweeps what was lost',
      find: 'if (this.#sweeping.has(attempt.term)) continue;',
      replace: 'if (attempt.term > 0) continue;',
    },
    {
      name: 'the engine sweeps once, and never again where that fails',
      find: 'this.#sweeping.delete(term);',
      replace: '',
    },
    {
      name: 'the engine takes what could not be swept for gone',
      find: 'if (isGone) this.#tell(',
      replace: 'if (isGone || term > 0) this.#tell(',
    },
    {
      name: 'the engine does not sweep what was lost when it is lost',
      find: "else if (decision.kind === 'expire') this.sweepLeftovers();",
      replace: '',
      equivalent: 'whatever was lost is swept when somebody looks, a few seconds later',
    },
    {
      name: 'the engine gives back what still runs',
      find: 'else this.#takeOver(claim, sight);',
      replace:
        "else this.#takeOver(claim, sight.kind === 'running' ? { kind: 'never-started' } : sight);",
    },
    {
      name: 'the engine does not know what it has found running',
      find: `case 'running':
        this.#known.set(which.term, which);`,
      replace: "case 'running':",
    },
    {
      name: 'the engine knows nothing of what ends while it looks',
      find: 'if (this.#isFinding) this.#early.set(term, end);',
      replace: '',
    },
    {
      name: 'the engine looks once for what was out of sight',
      find: 'this.#findUnseen();\n    this.sweepLeftovers();',
      replace: 'this.sweepLeftovers();',
    },
    {
      name: 'the engine takes what is out of sight for known',
      find: 'if (sight === undefined) unseen.set(term, this.#unseen?.get(term) ?? this.#patience(claim));',
      replace: 'if (sight === undefined) this.#known.set(term, whichOf(claim));',
    },
    {
      name: 'the engine confirms what had ended before',
      find: 'expiresAt !== undefined && expiresAt > lastAt',
      replace: 'expiresAt !== undefined',
      equivalent: 'whoever was there when it ended has said so, and whoever was not may confirm it',
    },
    {
      name: 'the engine confirms the leases of its own commands only',
      find: 'for (const claim of [...pushed, ...pulled]) {',
      replace: 'for (const claim of [...pushed, ...[...pulled].slice(99)]) {',
    },
    {
      name: 'the engine looks after what it does not know',
      find: 'if (!this.#keeps(claim, now)) continue;',
      replace: '',
    },
    {
      name: 'the engine renews at the last moment',
      find: '(leaseMs * 2) / 3',
      replace: 'leaseMs / 50',
      equivalent: 'what this process runs it keeps, however late it renews',
    },
    {
      name: 'the engine sends no signal',
      find: "else if (decision.kind === 'stop') this.#runner.signal(decision.term, decision.signal);",
      replace: '',
    },
    {
      name: 'the engine sends no signal again to what it has found',
      find: 'for (const [term, signal] of stopped) this.#runner.signal(term, signal);',
      replace: '',
    },
    {
      name: 'the engine tells nobody that a person wants it to end',
      find: "if (event.event.kind === 'stopAsked') this.#runner",
      replace: "if (event.event.kind === 'stopAsked' && event.event.at < 0) this.#runner",
    },
    {
      name: 'the engine loses what it runs',
      find: 'const isOwn = this.#ending.has(term) || this.#keeps(claim, now);',
      replace: 'const isOwn = false;',
    },
    {
      name: 'the engine loses what has ended and is not written',
      find: 'const isOwn = this.#ending.has(term) || this.#keeps(claim, now);',
      replace: 'const isOwn = this.#keeps(claim, now);',
    },
    {
      name: 'the engine keeps what it does not run',
      find: 'if (isOwn && isOver(expiresAt, now)) this.#prolong(claim);',
      replace: 'if (isOver(expiresAt, now)) this.#prolong(claim);',
    },
    {
      name: 'the engine does not say that something did not start',
      find: 'this.#say(which, { says, at });\n      return undefined;',
      replace: 'void says;\n      return undefined;',
    },
    {
      name: 'the engine takes a lost command for a failed one',
      find: `    case 'lost':
      return end;`,
      replace: `      return end;
    case 'lost':
      return { kind: 'failed', failure: { kind: 'exit', code: 1 } };`,
    },
    {
      name: 'the engine takes what it finds ended for gone',
      find: 'else this.#takeOver(claim, sight);',
      replace:
        "else this.#takeOver(claim, sight.kind === 'ended' ? { kind: 'gone', cause: 'killed' } : sight);",
    },
    {
      name: 'the engine does not write down that a command has started',
      find: "this.#say(which, { says: { kind: 'started', process }, at });",
      replace: 'void [which, process, at];',
    },
    {
      name: 'the engine calls everything stuck that may be quiet for a while',
      find: 'now - quiet.since >= limitMs',
      replace: 'now >= quiet.since',
    },
    {
      name: 'the engine calls nothing stuck',
      find: "this.#say(whichOf(claim), { says: { kind: 'stuck' }, at: now });",
      replace: 'return;',
    },
  ]),
  ...inFile('server/engine/board-writer.ts', [
    {
      name: 'the engine goes on with a board that was rolled back',
      find: `this.#isUnsure = true;
      try {
        this.#readAnew();`,
      replace: `try {
        void 0;`,
    },
    {
      name: 'the engine does not read again what it could not read',
      find: 'if (this.#isUnsure) this.#readAnew();',
      replace: '',
    },
    {
      name: 'the engine tells what was rolled back',
      find: 'this.#fresh.length = fresh;',
      replace: 'void fresh;',
    },
    {
      name: 'the engine tells nobody that it has begun where its first turn fails',
      find: 'this.#fresh.length = fresh;',
      replace: 'this.#fresh.length = 0 * fresh;',
    },
    {
      name: 'all turns of the engine have one number',
      find: 'this.#store.commit(this.revision + 1, decisions)',
      replace: 'this.#store.commit(1, decisions)',
    },
    {
      name: 'the engine says in short what was before its last word',
      find: 'this.#store.rebase(factsOf(this.board));',
      replace: 'this.#store.rebase({ ...factsOf(this.board), board: {} });',
    },
  ]),
  ...inFile('server/engine/begin-tenure.ts', [
    {
      name: 'the engine carries on what nobody has asked for again',
      find: 'if (!goesOn && !isInterrupted)',
      replace: 'if (!goesOn && isInterrupted)',
    },
    {
      name: 'the engine finds recent what was long ago',
      find: 'const RECENT_MS = 60_000;',
      replace: 'const RECENT_MS = 100_000;',
    },
    {
      name: 'the engine interrupts what agents are at work on',
      find: '(isRecent || isAttended(board, run, at))',
      replace: 'isRecent',
    },
    {
      name: 'the engine carries on what agents were at work on',
      find: '!isOver(holder.expiresAt, now)) return true;',
      replace: 'now > 0) return true;',
    },
    {
      name: 'the engine pauses after more crashes',
      find: 'crashes >= CRASHES.most',
      replace: 'crashes > CRASHES.most',
    },
    {
      name: 'the engine counts a process that was taken over as one that has crashed',
      find: 'crashesBefore(writer, at) - (isTakeover ? 1 : 0)',
      replace: 'crashesBefore(writer, at)',
    },
    {
      name: 'the engine pauses though tasks came to their end',
      find: "return event.event.kind === 'taskCompleted' || event.event.kind === 'taskFailed';",
      replace: "return event.event.kind === 'taskSkipped';",
    },
    {
      name: 'the engine counts crashes of long ago',
      find: 'if (now - at > CRASHES.withinMs) continue;',
      replace: 'void now;',
    },
    {
      name: 'the engine begins as if it were trusted',
      find: 'tenure, name, permission } as const;',
      replace: "tenure, name, permission: 'granted' } as const;",
    },
  ]),
  ...inFile('test/support/memory-store.ts', [
    {
      name: 'a takeover does not raise the tenure',
      find: 'this.#disk.tenure += 1;',
      replace: 'this.#disk.tenure ||= 1;',
    },
    {
      name: 'a process that was taken over may write',
      find: "if (this.#tenure !== this.#disk.tenure) throw new StoreError('deposed', 'Another one writes.');",
      replace: '',
    },
  ]),
  ...inFile('server/engine/engine-calls.ts', [
    {
      name: 'the engine does not remember what an operator has asked for',
      find: 'this.#record(answer.events, { operation });',
      replace: 'this.#record(answer.events);',
    },
    {
      name: 'the engine does not remember whom it gave what',
      find: "if (before.kind === 'applied' && before.grant !== undefined)",
      replace: "if (before.kind === 'applied' && before.grant === undefined)",
    },
    {
      name: 'the engine takes a renewal for a word that counts once',
      find: "says.kind !== 'renew' && this.#wasApplied(operation)",
      replace: "says.kind === 'renew'",
    },
    {
      name: 'the engine writes down whoever greets it again and again',
      find: 'JSON.stringify(before) === JSON.stringify(now)) return;',
      replace: 'JSON.stringify(before) === JSON.stringify(worker)) return;',
    },
  ]),
];
