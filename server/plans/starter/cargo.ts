import { patternsOf, type Project } from './project.ts';
import type { StarterDraft } from './starter.ts';

const SOURCES = ['src', 'crates', 'benches', 'examples', 'build.rs', 'Cargo.toml'];

/** Cargo lets one process into `target` at a time, so that its tasks come one after the other. */
export function cargoStarter(project: Project): StarterDraft | undefined {
  const text = project.read('Cargo.toml');
  if (text === undefined) return undefined;
  const all = /^\s*\[workspace\]/m.test(text) ? ' --workspace' : '';
  const reads = patternsOf(project, { names: SOURCES });
  return {
    kind: 'cargo',
    source: 'Cargo.toml',
    tasks: [
      { id: 'build', run: `cargo build${all}`, reads, writes: ['target/**', 'Cargo.lock'] },
      {
        id: 'test',
        dependsOn: ['build'],
        run: `cargo test${all}`,
        reads: [...reads, ...patternsOf(project, { names: ['tests'] }), 'Cargo.lock'],
        writes: ['target/**'],
      },
    ],
    notes: [
      'Whatever else writes target/ waits for what did so before:',
      '  clippy:',
      '    depends_on: [test]',
      `    run: cargo clippy${all}`,
      '    writes: [target/**]',
    ],
  };
}
