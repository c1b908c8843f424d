import type { Connection } from 'vscode-languageserver';
import { PLANS_READ, type PlansRead } from '../../protocol/starter-plan.ts';
import type { LoadedPlan } from '../board/plan-set.ts';

/** What the client was last told of the plans of a folder, so that it is told only of changes. */
export class PlansTold {
  readonly #connection: Connection;
  #told = '';

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  tell(folderUri: string, plans: readonly LoadedPlan[], uriOf: (file: string) => string): void {
    const params: PlansRead = {
      folderUri,
      plans: plans.map(({ path, plan: { problems } }) => ({
        uri: uriOf(path),
        path,
        hasErrors: problems.some(({ severity }) => severity === 'error'),
      })),
    };
    const told = JSON.stringify(params);
    if (told === this.#told) return;
    this.#told = told;
    void this.#connection.sendNotification(PLANS_READ, params);
  }
}
