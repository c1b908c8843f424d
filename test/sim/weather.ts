import type { Machine } from './machine.ts';
import type { Surroundings } from './surroundings.ts';

/** So long a host that is silent is waited for. */
const GIVEN_UP_MS = 60_000;

/** What happens to machines and to the coordinator though nobody asks for it. */
export function weatherOf(around: Surroundings): (() => void)[] {
  return [
    () => loseHost(around),
    () => spoilHost(around),
    () => takeHostOut(around),
    () => reboot(around),
    () => turnClock(around),
    () => suspend(around),
    () => crash(around),
    () => quit(around),
    () => freeze(around),
    () => rebase(around),
    () => rebase(around),
  ];
}

function loseHost(around: Surroundings): void {
  const { world, machines } = around;
  const machine = machines.get(world.random.pick(['host-1', 'host-2']));
  if (machine !== undefined) loseLink(around, machine);
}

/** The link goes; what runs there goes on. Somebody may notice. */
export function loseLink(around: Surroundings, machine: Machine): void {
  const { world } = around;
  const { random } = world;
  machine.cutOff();
  if (random.chance(0.6)) around.coordinator.reach(({ runner }) => runner.see(machine));
  note(around, 'hostUnreachable');
  // Whoever comes next cannot look at what runs there.
  if (random.chance(0.3))
    world.after(random.between(10, 5000), () => around.coordinator.crash('and the link'));
  world.after(random.between(GIVEN_UP_MS, GIVEN_UP_MS + 5000), () =>
    around.coordinator.reach(({ runner }) => runner.giveUp(machine)),
  );
  world.after(random.between(2000, random.pick([120_000, 300_000])), () => {
    machine.comeBack();
    around.coordinator.reach(({ runner }) => runner.see(machine));
  });
}

/** The user has other hosts for a while: nobody reaches those that are not in their settings. */
function takeHostOut(around: Surroundings): void {
  const { world, machines, coordinator } = around;
  const machine = machines.get(world.random.pick(['host-1', 'host-2']));
  if (machine === undefined) return;
  note(around, 'hostTakenOut');
  const tell = (): void => coordinator.reach(({ runner }) => runner.see(machine));
  machine.isTakenOut = true;
  machine.cutOff();
  tell();
  world.after(world.random.between(1000, 100_000), () => {
    machine.isTakenOut = false;
    machine.comeBack();
    tell();
  });
}

/** For a while it can be reached, and starts nothing. */
export function spoilHost(around: Surroundings): void {
  const { world, machines } = around;
  const machine = machines.get(world.random.pick(['host-1', 'host-2']));
  if (machine === undefined) return;
  note(around, 'hostSpoilt');
  machine.isSpoilt = true;
  world.after(world.random.between(20_000, 200_000), () => {
    machine.isSpoilt = false;
  });
}

function reboot(around: Surroundings): void {
  const { world, machines, coordinator } = around;
  const machine = machines.get(world.random.pick(['local', 'host-1', 'host-2']));
  if (machine === undefined) return;
  note(around, `reboot ${machine.name}`);
  machine.reboot();
  if (machine.name === 'local') coordinator.crash('reboot');
}

function turnClock(around: Surroundings): void {
  const { world, coordinator } = around;
  const { random } = world;
  const byMs = random.chance(0.5) ? random.between(1000, 600_000) : -random.between(1000, 60_000);
  note(around, `clock ${byMs > 0 ? 'forward' : 'back'}`);
  coordinator.turnClock(byMs);
  coordinator.receive(() => {});
}

function suspend(around: Surroundings): void {
  note(around, 'suspend');
  around.coordinator.suspend(around.world.random.between(1000, 90_000));
}

function crash(around: Surroundings): void {
  note(around, 'crash');
  around.coordinator.crash('killed');
}

function quit(around: Surroundings): void {
  note(around, 'quit');
  around.coordinator.quit();
}

function freeze(around: Surroundings): void {
  note(around, 'freeze');
  around.coordinator.freeze();
}

function rebase(around: Surroundings): void {
  note(around, 'rebase');
  around.coordinator.rebase();
}

function note({ world }: Surroundings, what: string): void {
  world.faults.note(what);
  world.say(`operator ${what}`);
}
