export interface AgentHabits {
  readonly leaseMs: number;
  /** For so long it forgets its work now and then; 0 is never. */
  readonly asleepMs: number;
}

/** Long enough for the next of its name to come. */
export const STEADY: AgentHabits = { leaseMs: 10_000, asleepMs: 0 };
