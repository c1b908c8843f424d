import type { Machine } from './machine.ts';
import type { Surroundings } from './surroundings.ts';

/** What happens to machines and to the coordinator though nobody asks for it. */
export function weatherOf(around: Surroundings): (() => void)[] {
  return [
    () => loseHost(around),
    () => spoilHost(around),
    () => reboot(around),
    () => turnClock(around),
    () => suspend(around),
    () => crash(around),
    () => quit(around),
    () => depose(around),
    () => rebase(around),
    () => rebase(around),
  ];
}

/** The link goes; what runs there goes on. Somebody may notice. */
function loseHost(around: Surroundings): void {
  const { world, machines } = around;
  const { random } = world;
  const machine = machines.get(random.pick(['host-1', 'host-2']));
  if (machine === undefined) return;
  machine.isReachable = false;
  if (random.chance(0.6)) seePlace(around, machine);
  note(around, 'hostUnreachable');
  // Whoever comes next cannot look at what runs there.
  if (random.chance(0.3))
    world.after(random.between(10, 5000), () => around.coordinator.crash('and the link'));
  world.after(random.between(2000, 120_000), () => {
    machine.isReachable = true;
    seePlace(around, machine);
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

function seePlace(around: Surroundings, { name, isReachable }: Machine): void {
  const { coordinator } = around;
  note(around, 'placeSeen');
  coordinator.receive(() => {
    const limits = { parallel: around.taste.placesOfHost, cpu: 2 };
    const place = { name, isReachable, capabilities: ['fast'], limits };
    coordinator.record([{ kind: 'placeSeen', at: coordinator.now(), place }]);
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

function depose(around: Surroundings): void {
  note(around, 'depose');
  around.coordinator.depose();
}

function rebase(around: Surroundings): void {
  note(around, 'rebase');
  around.coordinator.rebase();
}

function note({ world }: Surroundings, what: string): void {
  world.faults.note(what);
  world.say(`operator ${what}`);
}
