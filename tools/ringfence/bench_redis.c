/* SPDX-License-Identifier: MIT
 *
 * redis: the server runs under the allocator and gives the memory figure;
 * its client, which runs without, gives the time. They talk through a socket
 * in a folder of their own.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench.h"
#include "child.h"
#include "environment.h"
#include "say.h"

enum { LIMIT_SECONDS = 600, START_TRIES = 500, TRY_MICROSECONDS = 10000 };

typedef struct service {
    const bench_job_t *job;
    const bench_allocator_t *allocator;
    char folder[32];
    char socket[48];
} service_t;

static void
become_server(void *argument)
{
    service_t *service = argument;
    bench_choose_allocator(service->allocator, true);
    execl(service->job->arguments[0], "redis-server", "--port", "0",
          "--unixsocket", service->socket, "--save", "", "--appendonly", "no",
          "--dir", service->folder, "--loglevel", "warning", (char *)NULL);
}

static void
become_client(void *argument)
{
    service_t *service = argument;
    environment_clear();
    execl(service->job->arguments[1], "redis-benchmark", "-s", service->socket,
          "-n", service->job->arguments[2], "-r", "100000", "-d", "128", "-P",
          "16", "-c", "20", "-q", "-t",
          "set,get,incr,lpush,rpop,sadd,hset,zadd", (char *)NULL);
}

/* Tries until the server accepts. */
static bool
wait_for_server(const service_t *service)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, service->socket, sizeof(address.sun_path) - 1);

    for (int i = 0; i < START_TRIES; i++) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int refused =
            connect(fd, (struct sockaddr *)&address, sizeof(address));
        close(fd);
        if (refused == 0) {
            return true;
        }
        usleep(TRY_MICROSECONDS);
    }
    return false;
}

static char *
server_error(const child_result_t *server, bool started)
{
    if (server->error != NULL) {
        return text_format("server: %s", server->error);
    }
    if (*server->messages != '\0') {
        return text_format("server wrote on stderr: %.*s",
                           (int)strcspn(server->messages, "\n"),
                           server->messages);
    }
    return started ? NULL : memory_check(strdup("server did not start"));
}

static bench_result_t
serve_and_measure(service_t *service)
{
    bench_result_t result = {.done = true};
    child_t server = child_start(become_server, service);
    const bool started = wait_for_server(service);

    if (started) {
        child_result_t client =
            child_run(become_client, service, LIMIT_SECONDS);
        result.seconds = client.seconds;
        if (client.error != NULL) {
            result.error = text_format("client: %s", client.error);
        }
        child_free(&client);
    }
    kill(server.pid, SIGTERM);
    child_result_t ended = child_wait(&server, LIMIT_SECONDS);
    result.peak_kib = (double)ended.peak_kib;
    if (result.error == NULL) {
        result.error = server_error(&ended, started);
    }
    child_free(&ended);
    return result;
}

bench_result_t
bench_run_redis(const bench_job_t *job, const bench_allocator_t *allocator)
{
    service_t service = {job, allocator, "/tmp/ringfence-redis-XXXXXX", ""};

    if (mkdtemp(service.folder) == NULL) {
        return (bench_result_t){
            .done = true,
            .error = memory_check(strdup("cannot make a folder in /tmp"))};
    }
    strcpy(service.socket, service.folder);
    strcat(service.socket, "/socket");
    bench_result_t result = serve_and_measure(&service);
    unlink(service.socket);
    rmdir(service.folder);
    return result;
}
