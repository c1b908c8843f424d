/** A small plan that runs, for a folder that has none; the editor and the command line write it. */
export const STARTER_PLAN = `version: 1

# Each task says what it runs, what must be done first, and which files it reads and writes.
# Interlock runs what safely can run at once, and holds back what would collide.
tasks:
  hello:
    run: echo "Hello from Interlock" > hello.txt
    writes: [hello.txt]

  shout:
    depends_on: [hello]
    run: tr a-z A-Z < hello.txt > shout.txt
    reads: [hello.txt]
    writes: [shout.txt]
`;
