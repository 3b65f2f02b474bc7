-- What Hinny says to PostgreSQL, part by part; "--- name" begins one. `hinny push --print-sql` prints
-- these lines, and --template FILE takes changed ones: other columns beside these, other indexes,
-- other settings. A part that the file lacks is taken from here.
--
-- Hinny fills in what stands in braces, names quoted:
--   {table}        the table that is searched        {staging}  where a push puts its rows first
--   {bare_table}   its name without the schema       {collections}  the table of all such tables
--   {type}         vector or halfvec                 {operators}  of that type's index
--   {columns}      numbers of a row: the model's, and one more where pictures that fit every
--                  sentence are corrected ("hubs"): it is added to the scores of sentences, so a
--                  sentence's vector ends with 1, a picture's with 0
--   {filter}       conditions of a question
-- Vectors have length 1 and compare by dot product; <#> is its negative.

--- prepare: once for each database, before anything else
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS {collections} (
  name text PRIMARY KEY,
  model text NOT NULL,         -- its hash: vectors of one model compare with each other alone
  type text NOT NULL,
  columns integer NOT NULL,
  corrected boolean NOT NULL,
  images bigint NOT NULL,
  times boolean NOT NULL,
  pictures text NOT NULL,      -- the folder that holds all pictures, where they were indexed
  index_folder text NOT NULL,  -- the index that was pushed
  pushed timestamptz NOT NULL DEFAULT now()
);

--- create: a table for rows that nobody sees yet
CREATE TABLE {staging} (
  id text COLLATE "C" NOT NULL,
  file text COLLATE "C" NOT NULL,  -- below that folder; '' where an image has none
  taken timestamp,                 -- local time
  penalty real NOT NULL,           -- the last of a corrected row's numbers, or 0
  digest uuid NOT NULL,            -- of the rest of the row: the next push sends what differs
  embedding {type}({columns}) NOT NULL
);
ALTER TABLE {staging} ALTER COLUMN embedding SET STORAGE {storage};
-- With Citus:
-- SELECT create_distributed_table({staging_text}, 'id');

--- servers: once, where several servers hold the rows (hinny push --servers)
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
CREATE EXTENSION IF NOT EXISTS dblink;

--- server: for each of them. Little is fetched at once, as few of its rows are among the best; a
-- cursor looks dear to the planner, so that jit would compile it each time.
DROP USER MAPPING IF EXISTS FOR CURRENT_USER SERVER {server};
DROP SERVER IF EXISTS {server};
CREATE SERVER {server} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
  host {host}, port {port}, dbname {database}, extensions 'vector', fetch_size '50',
  batch_size '1000', connect_timeout '10', keepalives_idle '10', tcp_user_timeout '10000',
  options '-c hnsw.ef_search=400 -c hnsw.iterative_scan=strict_order -c jit=off');
CREATE USER MAPPING FOR CURRENT_USER SERVER {server}
  OPTIONS (user {user}, password {password});

--- create_parted: instead of create
CREATE TABLE {staging} (
  id text COLLATE "C" NOT NULL,
  file text COLLATE "C" NOT NULL,
  taken timestamp,
  penalty real NOT NULL,
  digest uuid NOT NULL,
  embedding {type}({columns}) NOT NULL
) PARTITION BY HASH (id);

--- part: of each server; what is made there goes through the one server that Hinny speaks to
SELECT dblink_exec({server_text}, $remote$
  CREATE EXTENSION IF NOT EXISTS vector;
  DROP TABLE IF EXISTS {part};
  CREATE TABLE {part} (
    id text COLLATE "C" NOT NULL,
    file text COLLATE "C" NOT NULL,
    taken timestamp,
    penalty real NOT NULL,
    digest uuid NOT NULL,
    embedding {type}({columns}) NOT NULL
  );
  ALTER TABLE {part} ALTER COLUMN embedding SET STORAGE {storage};
$remote$);
CREATE FOREIGN TABLE {part} PARTITION OF {staging}
  FOR VALUES WITH (MODULUS {count}, REMAINDER {remainder})
  SERVER {server} OPTIONS (table_name {part_text});

--- index_part: of each server; all build at once
SELECT dblink_connect({server_text}, {server_text});
SELECT dblink_send_query({server_text}, $remote$
  DO $body$ BEGIN
    SET LOCAL maintenance_work_mem = {memory};
    ALTER TABLE {part} ADD PRIMARY KEY (id);
    CREATE INDEX ON {part} (taken);
    CREATE INDEX ON {part} (file);
    CREATE INDEX ON {part} USING hnsw (embedding {operators}) WITH (m = 16, ef_construction = 64);
    ANALYZE {part};
  END $body$
$remote$);

--- await_part: of each server, when all have begun
SELECT status FROM dblink_get_result({server_text}) AS answer (status text);
SELECT dblink_disconnect({server_text});

--- copy: how rows get there; the names and their order are Hinny's
COPY {staging} (id, file, taken, penalty, digest, embedding) FROM STDIN (FORMAT BINARY)

--- index: after all rows are there
SET maintenance_work_mem = {memory};
ALTER TABLE {staging} ADD PRIMARY KEY (id);
CREATE INDEX ON {staging} (taken);
CREATE INDEX ON {staging} (file);
CREATE INDEX ON {staging} USING hnsw (embedding {operators}) WITH (m = 16, ef_construction = 64);
ANALYZE {staging};

--- publish: from now on it is the table, with its line in {collections}
ALTER TABLE {staging} RENAME TO {bare_table};

--- merge: the rows that a later push brought, all at once
DELETE FROM {table} WHERE id IN (SELECT id FROM {staging});
INSERT INTO {table} (id, file, taken, penalty, digest, embedding)
  SELECT id, file, taken, penalty, digest, embedding FROM {staging};
DROP TABLE {staging};

--- session: of each connection that searches
SET hnsw.ef_search = 400;  -- wider: slower, and more of the nearest are found
SET hnsw.iterative_scan = strict_order;

--- nearest: $1 is the question's vector, $2 how many
SELECT id, file, taken, penalty, embedding <#> $1::{type} AS distance
FROM {table} WHERE {filter} ORDER BY distance LIMIT $2

--- nearest_of_few: the same where the index finds too few, because few rows fit the conditions
WITH fitting AS MATERIALIZED (
  SELECT id, file, taken, penalty, embedding <#> $1::{type} AS distance FROM {table} WHERE {filter})
SELECT * FROM fitting ORDER BY distance LIMIT $2

--- newest: of all rows that reach a score, which is among the conditions
SELECT id, file, taken, penalty, embedding <#> $1::{type} AS distance
FROM {table} WHERE {filter} ORDER BY taken DESC NULLS LAST, distance LIMIT $2

--- vector: of one picture
SELECT embedding::text FROM {table} WHERE id = $1

--- file: of one picture
SELECT file FROM {table} WHERE id = $1
