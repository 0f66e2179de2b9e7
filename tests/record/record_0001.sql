BEGIN TRANSACTION;
CREATE TABLE alembic_version (
        version_num VARCHAR(32) NOT NULL,
        CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
    );
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE entry (
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at BIGINT NOT NULL,
        facts TEXT NOT NULL,
        body TEXT,
        digest TEXT NOT NULL,
        PRIMARY KEY (task, number)
    );
INSERT INTO "entry" VALUES('done',1,'Given',1700000000001000000,'{"giver":"Ada","skill":{"name":"invoice"},"body":"b70f6e1edc14eecd67074109ee2df4b1fc9d6a9698aad9df66b69eeea0f1aa11"}','{"input":"x"}','d927e624663ce6d6ce893c3148cce3f344db61e362d24268ffc6bbb2b535c97f');
INSERT INTO "entry" VALUES('done',2,'ToolCalled',1700000000002000000,'{"call":"c1.1","effects":["sends"],"body":"74d8eab3e42c85b3931a363d06bfed913104bb5d89ae0c15877736c0ecab4d23"}','{"arguments":{"n":1}}','cd4e0fbf879f8dfd07ed1eb5ef2eb131e78fd2e3defef81a46d99e37b82090c6');
INSERT INTO "entry" VALUES('done',3,'ToolReturned',1700000000003000000,'{"call":"c1.1","outcome":"done","body":"384cf382c160a6b71c00f7e872c959f6880faed58efbad20f382353711de4900"}','{"text":"sent"}','6ae8f87c6f16e82a55b08f9428f5d996f4f7314bf88aef843cb1012278a8018d');
INSERT INTO "entry" VALUES('done',4,'Done',1700000000004000000,'{"ended":"Done","reason":"answered","body":"6dd98f7920f6e186a8aed5c2c947b99fbb73e0a75576d4d3668ba7a383a12fd2"}','{"text":"Done.","result":7}','8dcd0959c4f90aa3270ecf3c90b299658931b04dc4654217c21010054e1b6fee');
INSERT INTO "entry" VALUES('cut',1,'Given',1700000000007000000,'{"giver":"Ada","skill":{"name":"invoice"},"body":"b70f6e1edc14eecd67074109ee2df4b1fc9d6a9698aad9df66b69eeea0f1aa11"}','{"input":"x"}','b721bf67024cd2a1007e555ed842b32762ed52406c82befd74fde119b1e7e15b');
INSERT INTO "entry" VALUES('cut',2,'ToolCalled',1700000000008000000,'{"call":"c1.1","effects":["sends"],"body":"74d8eab3e42c85b3931a363d06bfed913104bb5d89ae0c15877736c0ecab4d23"}','{"arguments":{"n":1}}','154f1bc8cd40d6a1a3c660980bd40db07148d022a72a4ae1b884a5d03254b610');
CREATE TABLE task (
        id TEXT NOT NULL,
        skill TEXT NOT NULL,
        source TEXT NOT NULL,
        giver TEXT NOT NULL,
        started BIGINT NOT NULL,
        ended BIGINT,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (id)
    );
INSERT INTO "task" VALUES('done','invoice','app','Ada',1700000000000000000,1700000000005000000,'Done','answered');
INSERT INTO "task" VALUES('cut','invoice','app','Ada',1700000000006000000,NULL,'Running','');
CREATE TABLE yes (
        subject TEXT NOT NULL,
        task TEXT NOT NULL,
        number INTEGER NOT NULL,
        at BIGINT NOT NULL,
        "by" TEXT NOT NULL,
        PRIMARY KEY (subject)
    );
INSERT INTO "yes" VALUES('scripts of x','done',2,1700000000009000000,'Ada');
CREATE INDEX task_started ON task (started);
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    WHEN NEW.body IS NOT NULL OR NEW.task IS NOT OLD.task OR NEW.number IS NOT OLD.number OR NEW.kind IS NOT OLD.kind
      OR NEW.at IS NOT OLD.at OR NEW.facts IS NOT OLD.facts OR NEW.digest IS NOT OLD.digest
    BEGIN SELECT RAISE(ABORT, 'entries are never changed; only a body may be erased'); END;
CREATE TRIGGER entry_is_never_replaced BEFORE INSERT ON entry
    WHEN EXISTS (SELECT 1 FROM entry WHERE task = NEW.task AND number = NEW.number)
    BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END;
COMMIT;
