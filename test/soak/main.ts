import { parseArgs } from 'node:util';
import { coursesOf, isGrowing, lineOf } from './growth.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string' },
    every: { type: 'string', default: '3' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_007);
console.log(`seed ${seed}, ${values.minutes} minutes`);
const { samples, runs, kills, faults } = await soak({
  seed,
  durationMs: Number(values.minutes) * 60_000,
  everyMs: Number(values.every) * 1000,
});
const courses = coursesOf(samples);
console.log(
  `${runs} runs, ${kills} kills, ${samples.length} samples; the middle of the second and the last quarter:`,
);
for (const course of courses) console.log(lineOf(course));
for (const fault of faults.slice(0, 10)) console.log(fault.slice(0, 600));
const growing = courses.filter(isGrowing);
process.exitCode = growing.length === 0 && faults.length === 0 ? 0 : 1;
