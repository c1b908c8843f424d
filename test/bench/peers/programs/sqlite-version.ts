import Database from 'better-sqlite3';

const database = new Database(':memory:');
process.stdout.write(String(database.prepare('SELECT sqlite_version()').pluck().get()));
