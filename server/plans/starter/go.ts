import { present, type Project } from './project.ts';
import type { StarterDraft } from './starter.ts';

export function goStarter(project: Project): StarterDraft | undefined {
  if (project.read('go.mod') === undefined) return undefined;
  const hasProgram = present(project, { names: ['main.go', 'cmd'] }).length > 0;
  const reads = [
    '**/*.go',
    ...(hasProgram ? ['!bin/**'] : []),
    ...present(project, { names: ['go.mod', 'go.sum'] }),
  ];
  const build = hasProgram
    ? { id: 'build', run: 'go build -o bin/ ./...', reads, writes: ['bin/**'] }
    : { id: 'build', run: 'go build ./...', reads };
  return {
    kind: 'go',
    source: 'go.mod',
    tasks: [
      { id: 'vet', run: 'go vet ./...', reads },
      build,
      { id: 'test', dependsOn: ['build'], run: 'go test ./...', reads },
    ],
    notes: [],
  };
}
